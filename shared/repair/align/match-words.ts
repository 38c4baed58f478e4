import { kept } from "#shared/json";

const KEPT_MAX = 2000;
const SHORT_CHARS_MAX = 64;

/** Emphasis, quotes and punctuation around a value. */
const MARKS = "\"'“”‘’`*_~.:;,!?-";

/** Strips what surrounds a value: `**"Approved".**` becomes `Approved`. */
export function bared(text: string): string {
  const isAround = (at: number, brackets: string): boolean =>
    /\s/.test(text.charAt(at)) || (MARKS + brackets).includes(text.charAt(at));
  let [start, end] = [0, text.length];
  while (start < end && isAround(start, "([{<")) start += 1;
  while (end > start && isAround(end - 1, ")]}>")) end -= 1;
  return text.slice(start, end);
}

/** Removes accents; ß and the like become plain letters. */
export function unaccented(text: string): string {
  if (!/[^\0-\x7F]/.test(text)) return text;
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(/[^\0-\x7F]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

const PLAIN_LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  "ß ss|ẞ SS|æ ae|Æ AE|œ oe|Œ OE|ø o|Ø O|ł l|Ł L|đ d".split("|").map((one) => one.split(" ")),
);

/** Splits a text into lower-case words without accents; also splits `camelCase`, `snake_case` and `kebab-case`. */
export const wordsOf = keptForShort((text): readonly string[] =>
  unaccented(text)
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== ""),
);

/** Letters and digits only, lower case, without accents. */
export const folded = keptForShort((text) =>
  unaccented(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ""),
);

/** Keeps the results for short texts, because names repeat in every row of a list. */
function keptForShort<Result>(read: (text: string) => Result): (text: string) => Result {
  const before = new Map<string, Result>();
  return (text) => {
    if (before.size >= KEPT_MAX) before.clear();
    return text.length > SHORT_CHARS_MAX ? read(text) : kept(before, text, read);
  };
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

/** Maximum words of a name or an item; more are a sentence. */
const ITEM_WORDS_MAX = 5;

/** Returns true for a sentence, by its end, its marks or its length: such as a model's apology. */
export function isSentence(text: string, wordsMax = ITEM_WORDS_MAX): boolean {
  return /[.!?…。！？؟।]["'”’)*_]*\s*$|[，、]/.test(text) || wordsOf(text).length > wordsMax;
}
