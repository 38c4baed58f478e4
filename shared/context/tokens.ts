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
