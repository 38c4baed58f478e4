import { flatten } from "#shared/contract";
import type { Issue } from "#shared/errors";

/** An issue for each quotation that does not stand in its text, word for word; undefined: there is no such text. */
export function checkQuotes<Quoting extends { readonly quote: string }>(
  quoting: readonly Quoting[],
  textOf: (one: Quoting) => string | undefined,
  at: string,
): Issue[] {
  return quoting.flatMap((one, index) => {
    const text = textOf(one);
    if (text !== undefined && holdsQuote(text, one.quote)) return [];
    const [code, message] =
      text === undefined
        ? ["unknown_source", "names a passage that was not read"]
        : ["invented_quotation", "these words do not stand in the source, word for word"];
    return [{ path: `${at}/${index}/quote`, code, message }];
  });
}

/** The same for words that cite a passage by its id. */
export function checkCited(
  citing: readonly { readonly quote: string; readonly passage_id: string }[],
  passages: readonly { readonly passage_id: string; readonly text: string }[],
  at: string,
): Issue[] {
  return checkQuotes(citing, (one) => passages.find(({ passage_id: id }) => id === one.passage_id)?.text, at);
}

/** Fewer characters than this are in nearly every text, and prove nothing. */
const QUOTE_CHARACTERS_MIN = 12;

/** One form for marks that people and machines set differently; words and figures are left alone. */
function toPlainMarks(text: string): string {
  return flatten(text)
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‘’‚]/g, "'")
    .replaceAll(/[‐‑‒–—]/g, "-");
}

/** Returns true where a text holds the words as whole words; blanks, quotation marks and dashes do not count. */
export function holdsWords(text: string, words: string): boolean {
  const [whole, wanted] = [toPlainMarks(text), toPlainMarks(words)];
  if (wanted === "") return false;
  for (let at = whole.indexOf(wanted); at !== -1; at = whole.indexOf(wanted, at + 1)) {
    if (isEdge(whole, at) && isEdge(whole, at + wanted.length)) return true;
  }
  return false;
}

/** Returns true if these very words stand in a text, in order and as whole words: part of a figure is another. */
export function holdsQuote(text: string, quote: string): boolean {
  return toPlainMarks(quote).length >= QUOTE_CHARACTERS_MIN && holdsWords(text, quote);
}

/** Returns true where a word, or a figure with its points, ends or begins. */
function isEdge(text: string, at: number): boolean {
  const around = text.slice(Math.max(0, at - 1), at + 1);
  if (/^[\p{L}\p{N}]{2}$/u.test(around)) return false;
  return !/\d[.,]\d/.test(text.slice(Math.max(0, at - 2), at + 2));
}

/** The beginning of a text, cut at a word where it is too long. */
export function shorten(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const cutOff = text.slice(0, charactersMax - 1);
  return `${cutOff.slice(0, Math.max(cutOff.lastIndexOf(" "), charactersMax / 2))}…`;
}
