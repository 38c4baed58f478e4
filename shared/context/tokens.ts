import { ContextTooLargeError } from "./errors.ts";

/** Tokens of a text, as one model counts them. */
export type CountTokens = (text: string) => number;

/** Gives the counter of a model by the model's name. May load what it needs at the first call. */
export type TokenCounters = (model: string) => Promise<CountTokens>;

/** Of a nominal budget this much is used: quality falls before the limit is reached, and counts are estimates. */
export const CEILING_SHARE = 0.8;

/** What may be used of a nominal budget, in tokens. */
export function ceilingOf(tokensMax: number): number {
  return Math.floor(tokensMax * CEILING_SHARE);
}

/** @throws {ContextTooLargeError} `of` has more tokens than the ceiling of its nominal budget. */
export function assertWithin(
  tokens: number,
  budget: { readonly of: string; readonly tokensMax: number },
): void {
  const ceiling = ceilingOf(budget.tokensMax);
  if (tokens > ceiling) throw new ContextTooLargeError({ of: budget.of, tokens, tokensMax: ceiling });
}
