import { loadConfig } from "#shared/config";
import type { Config } from "#shared/config";
import { createResearchTeam } from "./create-team.ts";
import { createFolderLibrary } from "./outside/folder-library.ts";
import { createHttpLibrary } from "./outside/http-library.ts";
import type { Library } from "./outside/library.ts";

/**
 * Opens the sources that are configured: the search service where one is set, else the folder. The configuration is
 * read at the first search.
 */
export function openLibrary(read: () => Pick<Config, "sourcesDir" | "sourcesUrl" | "sourcesKey">): Library {
  let opened: Library | undefined;
  return {
    search: (wanted, signal) => {
      const { sourcesDir, sourcesUrl, sourcesKey } = read();
      opened ??=
        sourcesUrl === null
          ? createFolderLibrary(() => sourcesDir)
          : createHttpLibrary({ baseUrl: sourcesUrl, key: sourcesKey });
      return opened.search(wanted, signal);
    },
  };
}

let config: Config | null = null;

/** Reads the configuration at the first search, so that loading the team needs none. */
function readConfig(): Config {
  config ??= loadConfig();
  return config;
}

export default createResearchTeam({ library: openLibrary(readConfig) });
