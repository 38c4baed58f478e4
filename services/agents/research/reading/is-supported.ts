import { readFigures } from "./figures.ts";
import { shareOf, termsOf } from "./words.ts";

/** Share of a claim's words that its evidence has to have. */
const SUPPORT_MIN = 0.5;

/** Figures of a claim that stand nowhere in its evidence. */
export function findInventedFigures(claim: string, evidence: string): string[] {
  return [...readFigures(claim).difference(readFigures(evidence))];
}

/**
 * Whether evidence bears a claim, as far as words show it: every figure stands there, and at least half of what the
 * claim is about.
 */
export function isSupported(claim: string, evidence: string): boolean {
  if (findInventedFigures(claim, evidence).length > 0) return false;
  return shareOf(new Set(termsOf(claim)), new Set(termsOf(evidence))) >= SUPPORT_MIN;
}
