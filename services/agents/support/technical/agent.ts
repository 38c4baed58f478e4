import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { EscalationRequest, ReplyRequest, TechnicalIssue } from "../contracts.ts";
import type { Decided } from "../contracts.ts";
import { standIns } from "../rehearsal/stand-ins.ts";
import { customerOf } from "../contract-fields.ts";

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

const TechnicalSteps = contract(
  "technical.steps@1",
  z.object({
    steps: z
      .array(z.string().min(1).max(500).meta({ "x-surgeon-writes": true }))
      .min(1)
      .max(8),
  }),
  { description: "What the customer can try, one step each, in their language." },
);

/** Returns the majority's severity, else the middle vote, and of two the graver: missing an issue costs more. */
export function countVotes(votes: readonly [Severity, ...Severity[]]): Severity {
  const ranked = votes.toSorted((a, b) => SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b));
  const isMajority = (one: Severity): boolean =>
    votes.filter((vote) => vote === one).length * 2 > votes.length;
  return SEVERITIES.find(isMajority) ?? ranked[Math.floor(ranked.length / 2)] ?? votes[0];
}

const to = { reply: ReplyRequest, escalation: EscalationRequest };

const PROMPT = new URL("prompt.md", import.meta.url);

const STEPS_INSTRUCTIONS = readPrompt(PROMPT, "steps");

/** Weighs an issue by the vote of three, then drafts what the customer can try; what is critical goes to a person. */
export const technical = agent("technical@1", {
  accepts: TechnicalIssue,
  guard: { mayCause: [] },
  to,
  description: "Weighs technical issues by an ensemble of three and drafts the steps to try.",
  capabilities: ["technical-support"],
  answers: [SeverityVote, TechnicalSteps],
  standIns,
  handle: async (issue, ctx) => {
    const { language, text, product, symptoms } = issue;
    const customer = customerOf(issue);
    const severity = await voteSeverity({ symptoms, text }, ctx);
    const order = issue.order_id === undefined ? {} : { order_id: issue.order_id };
    const decided: Decided = { category: "technical", severity, ...order };
    if (severity === "critical") {
      const findings = [`severity by vote of three: ${severity}`, ...symptoms.slice(0, 5)];
      const incident = { cause: "critical_incident", findings, decided, ...order, ...customer } as const;
      return ctx.handoff("escalation", incident, { reason: "the issue is critical" });
    }
    const { steps } = await ctx.model("steps", {
      instructions: STEPS_INSTRUCTIONS,
      input: { product, symptoms, language },
      answers: TechnicalSteps,
    });
    const told = { outcome: "steps", steps, decided, ...customer } as const;
    return ctx.handoff("reply", told, { reason: `severity ${severity}` });
  },
});

/** Asks from three sides at once. Each call is recorded by itself, so that a crash asks none of them twice. */
async function voteSeverity(input: object, ctx: Context<typeof to>): Promise<Severity> {
  const ask = async (side: "impact" | "urgency" | "workaround"): Promise<Severity> => {
    const asked = { instructions: readPrompt(PROMPT, side), input, answers: SeverityVote };
    return (await ctx.model(`severity-${side}`, asked)).severity;
  };
  return countVotes(await Promise.all([ask("impact"), ask("urgency"), ask("workaround")]));
}
