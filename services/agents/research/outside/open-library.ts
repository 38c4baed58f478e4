import type { Config } from "#shared/config";
import { createFolderLibrary } from "./folder-library.ts";
import { createHttpLibrary } from "./http-library.ts";
import type { Library } from "./library.ts";

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
