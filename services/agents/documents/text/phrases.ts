/**
 * Returns the text without accents: capitals are often written without them, and letters are read without them from
 * scans. Patterns of `anyOf` are folded too.
 */
export function foldAccents(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").normalize("NFC");
}

/** Returns a pattern of any of the phrases as whole words, in whatever case. Phrases are regular expressions. */
export function anyOf(phrases: readonly string[], flags = "iu"): RegExp {
  return new RegExp(wholeWords(phrases), flags);
}

/** The same as the source of a pattern, to be put into a larger one. Scripts without spaces have no word edges. */
export function wholeWords(phrases: readonly string[]): string {
  return `${NO_LETTER_BEFORE}(?:${phrases.map(foldAccents).join("|")})${NO_LETTER_AFTER}`;
}

const NO_LETTER_BEFORE = "(?<![\\p{Script=Latin}\\p{Script=Greek}\\p{N}])";
export const NO_LETTER_AFTER = "(?![\\p{Script=Latin}\\p{Script=Greek}\\p{N}])";
