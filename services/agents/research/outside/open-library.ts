import type { Config } from "#shared/config";
import { createFolderLibrary } from "./folder-library.ts";
import { createHttpLibrary } from "./http-library.ts";
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
  let opened: readonly Library[] | undefined;
  return {
    async search(wanted, signal) {
      opened ??= open(read());
      // One that fails fails the search. The best passages of each are taken in turn.
      const found = await Promise.all(opened.map((library) => library.search(wanted, signal)));
      const longest = Math.max(...found.map(({ passages }) => passages.length));
      const inTurn = Array.from({ length: longest }, (_, rank) =>
        found.flatMap(({ passages }) => passages[rank] ?? []),
      );
      return {
        passages: inTurn.flat().slice(0, wanted.passagesMax),
        held_back: found.flatMap((one) => one.held_back),
      };
    },
  };
}

function open(settings: SourceSettings): Library[] {
  const { sourcesDir, sourcesUrl, sourcesKey, sourcesDatabase, sourcesTable, sourcesLanguage } = settings;
  const libraries: Library[] = [];
  if (sourcesDatabase !== null)
    libraries.push(
      createPostgresLibrary({ url: sourcesDatabase, table: sourcesTable, language: sourcesLanguage }),
    );
  if (sourcesUrl !== null) libraries.push(createHttpLibrary({ baseUrl: sourcesUrl, key: sourcesKey }));
  return libraries.length > 0 ? libraries : [createFolderLibrary(() => sourcesDir)];
}
