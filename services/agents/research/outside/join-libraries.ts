import type { Library, Passage, Search } from "./library.ts";

/** Searches several libraries at once and takes their best passages in turn. One that fails fails the search. */
export function joinLibraries(libraries: readonly Library[]): Library {
  return {
    async search(wanted, signal) {
      const found = await Promise.all(libraries.map((library) => library.search(wanted, signal)));
      return {
        passages: interleave(found, wanted.passagesMax),
        held_back: found.flatMap((one) => one.held_back),
      };
    },
  };
}

function interleave(found: readonly Search[], passagesMax: number): Passage[] {
  const longest = Math.max(0, ...found.map(({ passages }) => passages.length));
  return Array.from({ length: longest }, (_, rank) => found.flatMap(({ passages }) => passages[rank] ?? []))
    .flat()
    .slice(0, passagesMax);
}
