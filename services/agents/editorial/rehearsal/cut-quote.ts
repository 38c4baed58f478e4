import { QUOTE_CHARACTERS_MAX } from "../contract-fields.ts";

/** Returns the beginning of some words as a quotation: at most `charactersMax` UTF-16 units, and no half characters. */
export function cutQuote(words: string, charactersMax = QUOTE_CHARACTERS_MAX): string {
  const cut = words.slice(0, charactersMax);
  return (cut.length < words.length ? cut.replace(/[\uD800-\uDBFF]$/, "") : cut).trim();
}
