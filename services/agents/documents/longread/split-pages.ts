import { CHUNK_CHARACTERS_MAX } from "../limits.ts";

/** Pages that are summarised in one go, from 1. */
export interface PageRange {
  readonly first: number;
  readonly last: number;
}

/** Parts of pages that follow each other, each as long as one step is shown; a longer page is one by itself. */
export function splitPages(pages: readonly string[], charactersMax = CHUNK_CHARACTERS_MAX): PageRange[] {
  const ranges: PageRange[] = [];
  let first = 1;
  let characters = 0;
  for (const [index, page] of pages.entries()) {
    if (characters > 0 && characters + page.length > charactersMax) {
      ranges.push({ first, last: index });
      first = index + 1;
      characters = 0;
    }
    characters += page.length;
  }
  return pages.length === 0 ? [] : [...ranges, { first, last: pages.length }];
}
