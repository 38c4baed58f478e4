import { loadConfig } from "#shared/config";
import type { Config } from "#shared/config";
import { createResearchTeam } from "./create-team.ts";
import { openLibrary } from "./outside/open-library.ts";

let config: Config | null = null;

/** Reads the configuration at the first search, so that loading the team needs none. */
function readConfig(): Config {
  config ??= loadConfig();
  return config;
}

export default createResearchTeam({ library: openLibrary(readConfig) });
