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

const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  ł: "l",
  Ł: "L",
  đ: "d",
};

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

/** Apologies and refusals in several languages, and reports that there is nothing. */
const APOLOGIES: readonly RegExp[] = [
  /\b(?:i|we)(?:['’]?m|['’]re| am| are| was| were| have been)? (?:(?:very|so|really|terribly|afraid|truly) )*(?:sorry|unable|not able|not sure|afraid)\b/i,
  /\b(?:i|we) (?:(?:cannot|can['’]?t|(?:could|do|wo|will)(?: not|n?['’]t)) |(?:must|have to) decline\b)/i,
  /^["'*_\s]*(?:sorry|(?:my )?apologies|unfortunately|regrettably|as an? (?:large )?(?:ai|language))\b/i,
  /\bthere (?:is|was) (?:not enough|no|insufficient) (?:information|data)\b/i,
  /\b(?:es tut mir leid|tut mir leid|leider|entschuldig(?:ung|en sie)|ich kann\b[^.!?]{0,40}\b(?:nicht|keine))/i,
  /^(?:(?:there (?:are|were) )?no\b.{0,40}\b(?:found|available|match(?:es|ed|ing)?|results?|exist)|none\b.{0,20}\b(?:found|available)|nothing\b.{0,40}\b(?:found|available|to (?:report|list|show))|not found)\b/i,
  /\b(?:je suis désolée?|désolée?,|malheureusement|je ne (?:peux|suis|sais))/i,
  /(?:^|\s)(?:lo siento|lamentablemente|desafortunadamente|no puedo|no es posible|no tengo (?:acceso|esa|la|datos))\b/i,
  /(?:^|\s)(?:desculpe|infelizmente|lamento|não (?:posso|consigo|é possível))/i,
  /(?:^|\s)(?:mi dispiace|purtroppo|non (?:posso|sono in grado))/i,
  /\b(?:het spijt me|helaas|ik kan (?:helaas )?(?:niet|geen))/i,
  /\b(?:beklager|dessverre|tyvärr|desværre|valitettavasti|przepraszam|niestety|bohužel|sajnos)(?![\p{L}])/iu,
  /(?:извините|простите|к сожалению|не могу|на жаль|вибачте)/i,
  /(?:申し訳|すみません|できません|残念ながら|抱歉|对不起|對不起|无法|無法|遗憾|遺憾|죄송|할 수 없|안타깝|유감)/,
  /(?:عذر|آسف|للأسف|لا أستطيع|لا يمكنني)/,
  /(?:क्षमा करें|माफ़? करें|माफ़ कीजिए|नहीं कर सकता|दुर्भाग्य)/,
  /(?:üzgünüm|maalesef|ne yazık ki|yapamıyorum)/i,
];

/** Returns true for a refusal to answer, or a report that there is nothing. Reads only the beginning. */
export function isApology(text: string): boolean {
  const start = text.trim().slice(0, 300);
  return APOLOGIES.some((one) => one.test(start));
}
