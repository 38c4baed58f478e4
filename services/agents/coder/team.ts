import { join } from "node:path";
import { loadConfig } from "#shared/config";
import type { Config } from "#shared/config";
import { createCoderTeam } from "./create-team.ts";

let config: Config | null = null;

/** Read when a checkout is first wanted: whoever only needs the team's graph needs no configuration. */
function readConfig(): Config {
  config ??= loadConfig();
  return config;
}

export default createCoderTeam({
  checkoutsDir: () => readConfig().checkoutsDir,
  scratchDir: () => join(readConfig().dataDir, "scratch"),
});
