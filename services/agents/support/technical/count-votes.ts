import { SEVERITIES } from "./answer.ts";
import type { Severity } from "./answer.ts";

/**
 * Returns the severity that most votes name. Without a majority it is the middle vote, and of two the graver: an issue
 * taken too seriously costs less than one missed.
 */
export function countVotes(votes: readonly [Severity, ...Severity[]]): Severity {
  const ranked = votes.toSorted((a, b) => SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b));
  const isMajority = (one: Severity): boolean =>
    votes.filter((vote) => vote === one).length * 2 > votes.length;
  return SEVERITIES.find(isMajority) ?? ranked[Math.floor(ranked.length / 2)] ?? votes[0];
}
