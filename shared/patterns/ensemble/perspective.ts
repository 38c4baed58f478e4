import type { Voter } from "./ask-voters.ts";

/**
 * Ways to go about one question that favour no answer. Temperature alone makes no voters: reasoning models take none,
 * and many endpoints leave it out.
 */
const PERSPECTIVES = [
  "Read the input from its end to its beginning before you decide.",
  "Find what speaks against your first impression, and only then decide.",
  "Consider each possible answer in turn, the least obvious first, before you decide.",
  "Find the single piece of evidence that decides the question, and decide by it.",
] as const;

/**
 * Returns what tells a voter from earlier ones with the same instructions and tier; undefined for the first of them.
 * The same for the same voters, so that a recorded answer is found again. Pure.
 *
 * @param at - Index of the voter, from 0.
 */
export function perspectiveOf(voters: readonly Voter[], at: number): string | undefined {
  const own = voters[at];
  const before = voters
    .slice(0, at)
    .filter(({ instructions, tier }) => instructions === own?.instructions && tier === own?.tier).length;
  if (before === 0) return undefined;
  const perspective = PERSPECTIVES[(before - 1) % PERSPECTIVES.length] ?? PERSPECTIVES[0];
  return before <= PERSPECTIVES.length ? perspective : `You are reader ${before + 1}. ${perspective}`;
}
