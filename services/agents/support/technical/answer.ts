import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import type { Language } from "../contract-fields.ts";

/** One vote. The word is the model's own; the count of votes brings words of one meaning together. */
export const SeverityVote = contract(
  "technical.severity-vote@1",
  z.object({
    severity: z.string().min(1).max(40),
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

export interface StepsInput {
  readonly product: string;
  readonly symptoms: readonly string[];
  readonly language: Language;
}
