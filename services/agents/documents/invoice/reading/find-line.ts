import { toAsciiDigits } from "../../text/to-ascii-digits.ts";
import { readAmounts } from "./read-amounts.ts";
import type { Line } from "./reading.ts";

/** Returns the first line of a document that holds something, or null. Digits are shown to `holds` as ASCII. */
export function findLine(pages: readonly string[], holds: (text: string) => boolean): Line | null {
  for (const [index, page] of pages.entries())
    for (const quote of page.split("\n")) {
      const text = toAsciiDigits(quote);
      if (holds(text)) return { text, quote: quote.trim(), page: index + 1 };
    }
  return null;
}

/** Returns true where an amount stands in a text, in whatever way it is written. */
export function holdsAmount(text: string, amount: number): boolean {
  const wanted = Math.abs(amount).toFixed(4);
  return readAmounts(text).some((found) => Math.abs(found).toFixed(4) === wanted);
}

/** Returns true where words stand in a text, spaces, dots, hyphens and case apart. */
export function holdsWords(text: string, words: string): boolean {
  return squeeze(text).includes(squeeze(toAsciiDigits(words)));
}

function squeeze(text: string): string {
  return text.toLowerCase().replaceAll(/[\s.-]/g, "");
}
