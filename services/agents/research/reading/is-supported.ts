import { findNumbers } from "./quantities/numbers.ts";
import { shareOf, termsOf } from "./words.ts";

/** Share of a claim's words that its evidence has to have. */
const SUPPORT_MIN = 0.5;
const EPSILON = 1e-9;

/** Figures of a claim that stand nowhere in its evidence, dates and years included, however they are written. */
export function findInventedFigures(claim: string, evidence: string): string[] {
  const known = findNumbers(evidence, "unknown").flatMap(({ readings }) => readings);
  return findNumbers(claim, "unknown")
    .filter(({ isInWords }) => !isInWords)
    .filter(({ readings }) =>
      readings.every(({ value }) =>
        known.every((one) => Math.abs(one.value - value) > EPSILON * Math.max(1, value)),
      ),
    )
    .map(({ from, to }) => claim.slice(from, to));
}

/**
 * Whether evidence bears a claim, as far as words show it: every figure stands there, and at least half of what the
 * claim is about.
 */
export function isSupported(claim: string, evidence: string): boolean {
  if (findInventedFigures(claim, evidence).length > 0) return false;
  return shareOf(new Set(termsOf(claim)), new Set(termsOf(evidence))) >= SUPPORT_MIN;
}
