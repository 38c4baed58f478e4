import { INVOICE_CHARACTERS_MAX, TAGGED_CHARACTERS_MAX } from "../limits.ts";

/** Returns the beginning and the end of a long text: its kind is told there, and no invoice is longer. */
export function clipPages(pages: readonly string[]): string[] {
  const characters = pages.reduce((sum, page) => sum + page.length, 0);
  if (characters <= INVOICE_CHARACTERS_MAX + TAGGED_CHARACTERS_MAX) return [...pages];
  const head = takeFirst(pages, INVOICE_CHARACTERS_MAX);
  const tail = (pages.at(-1) ?? "").slice(-TAGGED_CHARACTERS_MAX);
  return [...head, tail];
}

function takeFirst(pages: readonly string[], characters: number): string[] {
  const taken: string[] = [];
  let left = characters;
  for (const page of pages) {
    if (left <= 0) break;
    taken.push(page.slice(0, left));
    left -= page.length;
  }
  return taken;
}
