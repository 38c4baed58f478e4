import type { Service } from "#shared/runtime/service";

export const service: Service = {
  name: "gateway",
  open: async (config, logger) => {
    const { openParts } = await import("./open-parts.ts");
    const { startGateway } = await import("./server.ts");
    const parts = await openParts(config, logger);
    const gateway = await startGateway(parts, { host: config.gatewayHost, port: config.gatewayPort });
    logger.info({ url: gateway.url, teams: parts.teams.map((team) => team.name) }, "gateway listens");
    return { stop: (graceMs) => gateway.stop(graceMs).then(() => parts.close()) };
  },
};
