import { loadConfig } from "#shared/config";
import { loadTeams } from "#shared/runtime/process";
import { setCodeIsolation } from "#shared/sandbox";
import { startRehearsal } from "./server.ts";
import { standInsOf } from "./stand-ins.ts";

const config = loadConfig();
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

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    void rehearsal.close();
  });
}
