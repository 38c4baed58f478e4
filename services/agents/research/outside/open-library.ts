import type { Config } from "#shared/config";
import { createFolderLibrary } from "./folder-library.ts";
import { createHttpLibrary } from "./http-library.ts";
import { joinLibraries } from "./join-libraries.ts";
import type { Library } from "./library.ts";
import { createPostgresLibrary } from "./postgres-library.ts";

type SourceSettings = Pick<
  Config,
  "sourcesDir" | "sourcesUrl" | "sourcesKey" | "sourcesDatabase" | "sourcesTable" | "sourcesLanguage"
>;

/**
 * Opens the sources that are configured: the database and the search service, both where both are set, else the folder.
 * The configuration is read at the first search.
 */
export function openLibrary(read: () => SourceSettings): Library {
  let opened: Library | undefined;
  return {
    search: (wanted, signal) => {
      opened ??= open(read());
      return opened.search(wanted, signal);
    },
  };
}

function open(settings: SourceSettings): Library {
  const { sourcesDir, sourcesUrl, sourcesKey, sourcesDatabase, sourcesTable, sourcesLanguage } = settings;
  const libraries: Library[] = [];
  if (sourcesDatabase !== null)
    libraries.push(
      createPostgresLibrary({
        settings: () => ({ url: sourcesDatabase, table: sourcesTable, language: sourcesLanguage }),
      }),
    );
  if (sourcesUrl !== null)
    libraries.push(createHttpLibrary({ baseUrl: () => sourcesUrl, key: () => sourcesKey }));
  const [only, ...others] = libraries;
  if (only === undefined) return createFolderLibrary({ folder: () => sourcesDir });
  return others.length === 0 ? only : joinLibraries(libraries);
}
