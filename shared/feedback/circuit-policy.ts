import { z } from "zod";
import type { CircuitRule } from "#shared/store/feedback";

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/**
 * What happens while a producer's circuit is open. In every case people are told.
 * - `alert`: nothing else.
 * - `pause`: its queue is held; messages wait there, and expire there. On trial it takes some, now and then.
 * - `fall_back` with `agent`: what is handed to it goes to that agent. On trial a share goes to it all the same.
 * - `fall_back` with `tier`: its model calls ask that model. On trial a share asks its own.
 */
const reactionSchema = z.union([
  z.strictObject({ kind: z.literal("alert") }),
  z.strictObject({ kind: z.literal("pause") }),
  z.strictObject({ kind: z.literal("fall_back"), agent: z.string().min(1).max(63) }),
  z.strictObject({ kind: z.literal("fall_back"), tier: z.enum(["router", "worker", "surgeon"]) }),
]);

const policySchema = z.strictObject({
  /** Share of malformed outputs at which it opens, above 0 and at most 1. */
  threshold: z.number().gt(0).max(1).default(0.5),
  /** Outputs in the window before that share means anything. */
  outputsMin: z.int().min(1).max(100_000).default(20),
  /** Time that is looked back on, counted in steps of 10 s. */
  windowMs: z
    .int()
    .min(30 * SECOND_MS)
    .max(HOUR_MS)
    .default(300 * SECOND_MS),
  /** Time from opening to the trial. */
  cooldownMs: z
    .int()
    .min(100)
    .max(24 * HOUR_MS)
    .default(60 * SECOND_MS),
  /** Share of its work that is done the usual way on trial, above 0 and at most 1. */
  trialShare: z.number().gt(0).max(1).default(0.1),
  /** Outputs that decide a trial. */
  trialOutputs: z.int().min(1).max(10_000).default(5),
  reaction: reactionSchema.default({ kind: "alert" }),
});

export type CircuitReaction = z.output<typeof reactionSchema>;

/** When a producer's circuit opens and what happens then. */
export type CircuitPolicy = z.output<typeof policySchema>;

/** As a team declares it: what is left out has its default. */
export type CircuitDeclaration = z.input<typeof policySchema>;

/** For agents that no team declares anything for: an alert at half of 20 outputs in 5 minutes. */
export const CIRCUIT_POLICY_DEFAULT: CircuitPolicy = policySchema.parse({});

/** The policy, or the first thing that is wrong with its declaration, in words. */
export function readCircuitPolicy(
  declared: unknown,
): { readonly policy: CircuitPolicy } | { readonly problem: string } {
  const read = policySchema.safeParse(declared);
  if (read.success) return { policy: read.data };
  const issue = read.error.issues[0];
  return { problem: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not valid"}` };
}

/** What Redis judges by. */
export function toRule(policy: CircuitPolicy): CircuitRule {
  const { threshold, outputsMin, windowMs, cooldownMs, trialOutputs, trialShare, reaction } = policy;
  return {
    threshold,
    outputsMin,
    windowMs,
    cooldownMs,
    trialOutputs,
    // Only where another model stands in does the agent itself make both what is on trial and what is not.
    countedShare: "tier" in reaction ? trialShare : 1,
    reaction: describe(reaction),
  };
}

function describe(reaction: CircuitReaction): string {
  if ("agent" in reaction) return `fall back to the agent ${reaction.agent}`;
  if ("tier" in reaction) return `fall back to the ${reaction.tier} model`;
  return reaction.kind;
}
