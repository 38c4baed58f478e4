import { ContextTooLargeError } from "./errors.ts";

/** Counts the tokens of a text for one model. */
export type CountTokens = (text: string) => number;

/** Returns a model's token counter by name. May load data at the first call. */
export type TokenCounters = (model: string) => Promise<CountTokens>;

/** Share of a nominal budget that is used: quality falls near the limit, and counts are estimates. */
const CEILING_SHARE = 0.8;

/** Usable part of a nominal budget, in tokens. */
export function ceilingOf(tokensMax: number): number {
  return Math.floor(tokensMax * CEILING_SHARE);
}

/** @throws {ContextTooLargeError} `of` exceeds the usable part of its nominal budget. */
export function assertWithin(
  tokens: number,
  budget: { readonly of: string; readonly tokensMax: number },
): void {
  const ceiling = ceilingOf(budget.tokensMax);
  if (tokens > ceiling) throw new ContextTooLargeError({ of: budget.of, tokens, tokensMax: ceiling });
}

/** Longest run counted as one piece, in characters: a tokenizer is quadratic in a run, and linear in pieces. */
const RUN_CHARS_MAX = 64;
const LONG_RUN = new RegExp(`\\S{${RUN_CHARS_MAX + 1},}|\\s{${RUN_CHARS_MAX + 1},}`, "g");

/** Counts special tokens such as `<|endoftext|>` in user text as text. */
const NO_SPECIAL = { disallowedSpecial: new Set<string>() };

/**
 * Loads the token counter of a model by name, from the table that its maker published. Models of other makers are
 * estimated with the newest of these tables. Loaded at the first call; takes tens of megabytes.
 */
export async function loadTokenCounter(model: string): Promise<CountTokens> {
  const isOlder = /^gpt-(?:4(?!o|\.)|3\.5)/.test(model);
  const { countTokens } = isOlder
    ? await import("gpt-tokenizer/encoding/cl100k_base")
    : await import("gpt-tokenizer/encoding/o200k_base");
  return (text) => countInPieces(text, (piece) => (piece === "" ? 0 : countTokens(piece, NO_SPECIAL)));
}

/** Counts the parts between long runs, and the runs in pieces. */
export function countInPieces(text: string, count: CountTokens): number {
  let tokens = 0;
  let at = 0;
  for (const { index, 0: run } of text.matchAll(LONG_RUN)) {
    tokens += count(text.slice(at, index));
    for (let from = 0; from < run.length; from += RUN_CHARS_MAX)
      tokens += count(run.slice(from, from + RUN_CHARS_MAX));
    at = index + run.length;
  }
  return tokens + count(text.slice(at));
}

/** A range of UTF-16 units; `to` is exclusive. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Ends of paragraphs, lines, sentences and words: places to split, best first. */
const ENDS: readonly RegExp[] = [/\n[^\S\n]*\n\s*/g, /\n/g, /[.!?…][\p{Pe}\p{Pf}"']*\s+|[。！？]/gu, /\s+/g];

const CHARACTERS = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Splits a text into ranges of at most so many UTF-16 units: at paragraphs, lines, sentences, words, clusters. */
export function splitText(text: string, charactersMax: number): TextRange[] {
  const ranges: TextRange[] = [];
  for (let from = 0; from < text.length; from = ranges.at(-1)?.to ?? text.length)
    ranges.push({ from, to: endOfRange(text, from, charactersMax) });
  return ranges;
}

function endOfRange(text: string, from: number, charactersMax: number): number {
  const last = from + charactersMax;
  if (last >= text.length) return text.length;
  const half = from + Math.ceil(charactersMax / 2);
  // One unit more, so that the segmenter sees what follows.
  const characters = CHARACTERS.segment(text.slice(from, last + CHARACTER_UNITS));
  const isEnd = (at: number): boolean => characters.containing(at - from)?.index === at - from;
  for (const end of ENDS) {
    const ends = [...text.slice(half, last).matchAll(end)].map(
      (found) => half + found.index + found[0].length,
    );
    const best = ends.findLast(isEnd);
    if (best !== undefined) return best;
  }
  const start = from + (characters.containing(charactersMax)?.index ?? charactersMax);
  if (start > from) return start;
  const isInPair =
    /^[\uDC00-\uDFFF]/.test(text.slice(last)) && /[\uD800-\uDBFF]$/.test(text.slice(from, last));
  return isInPair ? last - 1 : last;
}

/** Maximum units of one grapheme cluster that are read ahead. */
const CHARACTER_UNITS = 32;
