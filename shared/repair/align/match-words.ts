/** Emphasis, quotes and punctuation around a value. */
const BEFORE = marksOf("\"'“”‘’`*_~([{<.:;,!?-");
const AFTER = marksOf("\"'“”‘’`*_~)]}>.:;,!?-");

/** Table of UTF-16 units that are blank or one of some marks. */
function marksOf(marks: string): Uint8Array {
  const units = new Uint8Array(0x10000);
  for (let code = 0; code < units.length; code += 1) {
    const char = String.fromCharCode(code);
    units[code] = marks.includes(char) || /\s/.test(char) ? 1 : 0;
  }
  return units;
}

/** Strips what surrounds a value: `**"Approved".**` becomes `Approved`. */
export function bared(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BEFORE[text.charCodeAt(start)] === 1) start += 1;
  while (end > start && AFTER[text.charCodeAt(end - 1)] === 1) end -= 1;
  return text.slice(start, end);
}

/** Removes accents; ß and the like become plain letters. */
export function unaccented(text: string): string {
  if (!/[^\0-\x7F]/.test(text)) return text;
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll("ß", "ss")
    .replaceAll("ẞ", "SS")
    .replaceAll("æ", "ae")
    .replaceAll("Æ", "AE")
    .replaceAll("œ", "oe")
    .replaceAll("Œ", "OE")
    .replaceAll("ø", "o")
    .replaceAll("Ø", "O")
    .replaceAll("ł", "l")
    .replaceAll("Ł", "L")
    .replaceAll("đ", "d");
}

/** Cache of short words, because names repeat in every row of a list. */
const foldedBefore = new Map<string, string>();
const wordsBefore = new Map<string, readonly string[]>();
const FOLDED_MAX = 2000;

/** Splits a text into lower-case words without accents; also splits `camelCase`, `snake_case` and `kebab-case`. */
export function wordsOf(text: string): readonly string[] {
  if (text.length > 64) return toWords(text);
  const before = wordsBefore.get(text);
  if (before !== undefined) return before;
  if (wordsBefore.size >= FOLDED_MAX) wordsBefore.clear();
  const words = toWords(text);
  wordsBefore.set(text, words);
  return words;
}

function toWords(text: string): string[] {
  return unaccented(text)
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Letters and digits only, lower case, without accents. */
export function folded(text: string): string {
  if (text.length > 64) return fold(text);
  const before = foldedBefore.get(text);
  if (before !== undefined) return before;
  if (foldedBefore.size >= FOLDED_MAX) foldedBefore.clear();
  const plain = fold(text);
  foldedBefore.set(text, plain);
  return plain;
}

function fold(text: string): string {
  return unaccented(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** Ladder of spelling comparisons, each with its cost. */
export const SPELLINGS: readonly {
  readonly step: string;
  readonly cost: number;
  readonly form: (text: string) => string;
}[] = [
  { step: "exact", cost: 0, form: (text) => text },
  { step: "punctuation", cost: 1, form: bared },
  { step: "case", cost: 1, form: (text) => bared(text).toLowerCase() },
  { step: "accents", cost: 2, form: (text) => unaccented(bared(text)).toLowerCase() },
  { step: "separators", cost: 2, form: folded },
];
