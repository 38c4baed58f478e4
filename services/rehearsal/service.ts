import type { Service } from "#shared/runtime/service";

export const service: Service = {
  name: "rehearsal",
  open: async (config) => {
    const { loadTeams } = await import("#shared/runtime/process");
    const { setCodeIsolation } = await import("#shared/sandbox");
    const { startRehearsal } = await import("./server.ts");
    const { standInsOf } = await import("./answer-completion.ts");
    // Stand-ins decode the images that a model would receive.
    setCodeIsolation(config.codeIsolation);
    const rehearsal = await startRehearsal({
      host: config.rehearsalHost,
      port: config.rehearsalPort,
      dataDir: config.dataDir,
      findStandIn: standInsOf(await loadTeams(config.teamsDir, config.variantsOf)),
      faultRate: config.rehearsalFaultRate,
      seed: config.rehearsalSeed,
      logLevel: config.logLevel,
    });
    return { stop: () => rehearsal.close() };
  },
};
