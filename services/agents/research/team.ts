import { loadConfig } from "#shared/config";
import type { Config } from "#shared/config";
import { createResearchTeam } from "./create-team.ts";
import { createFolderLibrary } from "./outside/folder-library.ts";

let config: Config | null = null;

/** Read when a source is first wanted: whoever only needs the team's graph needs no configuration. */
function readConfig(): Config {
  config ??= loadConfig();
  return config;
}

export default createResearchTeam({
  library: createFolderLibrary({ folder: () => readConfig().sourcesDir }),
});
