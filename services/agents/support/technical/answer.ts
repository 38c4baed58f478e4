import { z } from "zod";
import { contract, sensitive } from "#shared/contract";

/** From the least to the most severe. */
export const SEVERITIES = ["low", "medium", "high", "critical"] as const;

export type Severity = (typeof SEVERITIES)[number];

export const SeverityVote = contract(
  "technical.severity-vote@1",
  z.object({
    severity: z.enum(SEVERITIES).meta({
      "x-synonyms": {
        low: ["minor", "trivial", "cosmetic", "p4", "sev4"],
        medium: ["moderate", "normal", "p3", "sev3"],
        high: ["major", "serious", "severe", "p2", "sev2"],
        critical: ["blocker", "urgent", "emergency", "p1", "p0", "sev1"],
      },
    }),
    because: sensitive(z.string().min(1).max(500).meta({ "x-surgeon-writes": true })),
  }),
  { description: "How severe an issue is, seen from one side." },
);

export const TechnicalSteps = contract(
  "technical.steps@1",
  z.object({
    steps: z
      .array(z.string().min(1).max(500).meta({ "x-surgeon-writes": true }))
      .min(1)
      .max(8),
  }),
  { description: "What the customer can try, one step each, in their language." },
);

export interface VoteInput {
  readonly symptoms: readonly string[];
  readonly text: string;
}

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
