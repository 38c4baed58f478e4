import { SeverityUndecidedError } from "../errors.ts";
import { foldText } from "../reading/fold-text.ts";

/** From the least to the most severe. */
export const SEVERITIES = ["low", "medium", "high", "critical"] as const;

export type Severity = (typeof SEVERITIES)[number];

const WORDS: Readonly<Record<Severity, readonly string[]>> = {
  low: ["low", "minor", "trivial", "cosmetic", "p4", "sev4", "s4"],
  medium: ["medium", "moderate", "normal", "p3", "sev3", "s3"],
  high: ["high", "major", "serious", "severe", "p2", "sev2", "s2"],
  critical: ["critical", "blocker", "urgent", "emergency", "p1", "p0", "sev1", "s1"],
};

/** A severity from a model's own word: `HIGH.`, `sev 2` and `major` are one. Undefined: names none, or several. */
export function normaliseSeverity(written: string): Severity | undefined {
  const words = foldText(written)
    .replaceAll(/ (p|s|sev) (\d) /g, " $1$2 ")
    .trim()
    .split(" ");
  const named = SEVERITIES.filter((severity) => WORDS[severity].some((word) => words.includes(word)));
  return named.length === 1 ? named[0] : undefined;
}

/**
 * The severity most votes name. Without a majority it is the middle vote, and of two the graver: an issue taken too
 * seriously costs less than one missed. Votes that name no severity do not count.
 *
 * @throws {SeverityUndecidedError} No vote names a severity.
 */
export function countVotes(written: readonly string[]): Severity {
  const votes = written.flatMap((vote) => normaliseSeverity(vote) ?? []);
  const ranked = votes.toSorted((a, b) => SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b));
  const majority = SEVERITIES.find(
    (severity) => votes.filter((vote) => vote === severity).length * 2 > votes.length,
  );
  const decided = majority ?? ranked[Math.floor(ranked.length / 2)];
  if (decided === undefined) throw new SeverityUndecidedError(written.length);
  return decided;
}
