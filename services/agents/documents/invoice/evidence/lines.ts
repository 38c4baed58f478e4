import { toAsciiDigits } from "./to-ascii-digits.ts";

/** A line of a document, as it stands there. */
export interface Line {
  readonly quote: string;
  /** From 1. */
  readonly page: number;
}

/** Returns the first line of a document that holds something, or null. */
export function findLine(pages: readonly string[], holds: (text: string) => boolean): Line | null {
  for (const [index, page] of pages.entries())
    for (const quote of page.split("\n"))
      if (holds(quote)) return { quote: quote.trim().slice(0, 400), page: index + 1 };
  return null;
}

/** Returns true where words stand in a text, spaces, dots, hyphens and case apart. */
export function holdsWords(text: string, words: string): boolean {
  return squeeze(text).includes(squeeze(words));
}

export function squeeze(text: string): string {
  return toAsciiDigits(text.normalize("NFKC"))
    .toLowerCase()
    .replaceAll(/[\s.-]/g, "");
}
