import { ContextTooLargeError } from "./errors.ts";

/** Counts the tokens of a text for one model. */
export type CountTokens = (text: string) => number;

/** Returns a model's token counter by name. May load data at the first call. */
export type TokenCounters = (model: string) => Promise<CountTokens>;

/** Share of a nominal budget that is used: quality falls near the limit, and counts are estimates. */
export const CEILING_SHARE = 0.8;

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

/**
 * Longest run of letters, marks or spaces that is counted as one piece, in characters. A tokenizer is quadratic in a
 * run; cut into pieces it is linear and counts slightly more.
 */
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
