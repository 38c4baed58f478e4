import { join } from "node:path";
import { loadConfig } from "#shared/config";
import type { Config } from "#shared/config";
import { createCoderTeam } from "./create-team.ts";

let config: Config | null = null;

/** Reads the configuration at the first use of a checkout, so that loading the team needs none. */
function readConfig(): Config {
  config ??= loadConfig();
  return config;
}

export default createCoderTeam({
  checkoutsDir: () => readConfig().checkoutsDir,
  modulesDir: () => readConfig().checkoutModulesDir,
  scratchDir: () => join(readConfig().dataDir, "scratch"),
});
