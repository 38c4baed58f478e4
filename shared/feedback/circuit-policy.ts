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
  /** Error rate that opens the circuit, above 0 and at most 1. */
  threshold: z.number().gt(0).max(1).default(0.5),
  /** Minimum number of outputs in the window. */
  outputsMin: z.int().min(1).max(100_000).default(20),
  /** Length of the window, counted in steps of 10 s. */
  windowMs: z
    .int()
    .min(30 * SECOND_MS)
    .max(HOUR_MS)
    .default(300 * SECOND_MS),
  /** Time from open to half open. */
  cooldownMs: z
    .int()
    .min(100)
    .max(24 * HOUR_MS)
    .default(60 * SECOND_MS),
  /** Share of the work done the usual way while half open, above 0 and at most 1. */
  trialShare: z.number().gt(0).max(1).default(0.1),
  /** Number of outputs that decide a trial. */
  trialOutputs: z.int().min(1).max(10_000).default(5),
  reaction: reactionSchema.default({ kind: "alert" }),
});

export type CircuitReaction = z.output<typeof reactionSchema>;

/** When a producer's circuit breaker opens, and the reaction. */
export type CircuitPolicy = z.output<typeof policySchema>;

/** A team's declaration; missing options have defaults. */
export type CircuitDeclaration = z.input<typeof policySchema>;

/** Default policy: an alert at half of 20 outputs in 5 minutes. */
export const CIRCUIT_POLICY_DEFAULT: CircuitPolicy = policySchema.parse({});

/** Parses a policy; returns the first fault in words. */
export function readCircuitPolicy(
  declared: unknown,
): { readonly policy: CircuitPolicy } | { readonly problem: string } {
  const read = policySchema.safeParse(declared);
  if (read.success) return { policy: read.data };
  const issue = read.error.issues[0];
  return { problem: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not valid"}` };
}

/** Converts a policy to the rule that Redis applies. */
export function toRule(policy: CircuitPolicy): CircuitRule {
  const { threshold, outputsMin, windowMs, cooldownMs, trialOutputs, trialShare, reaction } = policy;
  return {
    threshold,
    outputsMin,
    windowMs,
    cooldownMs,
    trialOutputs,
    // Only with another model tier does the agent itself produce both the trial's outputs and the others.
    countedShare: "tier" in reaction ? trialShare : 1,
    reaction: describe(reaction),
  };
}

function describe(reaction: CircuitReaction): string {
  if ("agent" in reaction) return `fall back to the agent ${reaction.agent}`;
  if ("tier" in reaction) return `fall back to the ${reaction.tier} model`;
  return reaction.kind;
}
