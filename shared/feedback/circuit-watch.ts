import { z } from "zod";
import { handoffKey, otherHandoffs, pointOf, producerKey } from "#shared/store/feedback";
import type {
  Circuit,
  CircuitRule,
  CircuitState,
  CircuitStore,
  HandoffPair,
  ProducerOfOutput,
} from "#shared/store/feedback";

interface CircuitWatchOptions {
  readonly circuits: Pick<CircuitStore, "report">;
  /** Policies by plain agent name: of this process's agents and of those that they hand to. */
  readonly policies: ReadonlyMap<string, CircuitPolicy>;
  /** Name of this process, for the audit log. */
  readonly by: string;
  readonly onChange?: (changed: { readonly before: CircuitState; readonly circuit: Circuit }) => void;
}

/** Maximum number of producers counted between two reports; model names come from the endpoint and are unbounded. */
const PRODUCERS_MAX = 200;

/** Maximum number of agent pairs counted between two reports. */
const PAIRS_MAX = 500;

/**
 * Caches the circuits of a process's producers as of the last `report`, and queues what to report. Only `report` calls
 * Redis, so reading a circuit on every hop is free.
 */
export class CircuitWatch {
  private readonly options: CircuitWatchOptions;
  private readonly known = new Map<string, Circuit>();
  private outputs = new Map<string, number>();
  private good = new Map<string, number>();
  private handoffs = new Map<string, number>();

  constructor(options: CircuitWatchOptions) {
    this.options = options;
  }

  policyOf(agent: string): CircuitPolicy {
    return this.options.policies.get(agent) ?? CIRCUIT_POLICY_DEFAULT;
  }

  stateOf(agent: string): CircuitState {
    return this.known.get(agent)?.state ?? "closed";
  }

  /** Returns true when the agent's circuit replaces it for this message. */
  isReplaced(agent: string, messageId: string): boolean {
    const state = this.stateOf(agent);
    if (state === "half_open") return pointOf(messageId) >= this.policyOf(agent).trialShare;
    return state === "open";
  }

  /**
   * Counts one well-formed output.
   * @param made.agent - Plain name of the producer; an unknown one has no circuit.
   * @param made.messageId - The handled message.
   */
  count(made: {
    readonly agent: string;
    readonly producer: ProducerOfOutput;
    readonly messageId: string;
  }): void {
    this.addOutputs(producerKey(made.producer), 1);
    if (this.isJudged(made)) add(this.good, made.agent, 1);
  }

  /** Counts the outcome of one handoff. */
  countHandoff(pair: HandoffPair & { readonly isDone: boolean }): void {
    this.addHandoffs(handoffKey(pair), 1);
  }

  /**
   * Reports the counts and reads the circuits, in one script. Counts that were not delivered are sent with the next
   * report.
   * @throws {Error} Redis is unavailable; the cached circuits stay.
   */
  async report(): Promise<void> {
    const { circuits, policies, by, onChange } = this.options;
    const { outputs, good, handoffs } = this;
    this.outputs = new Map();
    this.good = new Map();
    this.handoffs = new Map();
    try {
      const reports = [...policies].map(([agent, policy]) => ({
        agent,
        rule: toRule(policy),
        good: good.get(agent) ?? 0,
        generation: this.known.get(agent)?.generation ?? 0,
      }));
      for (const circuit of await circuits.report({ by, outputs, handoffs, circuits: reports })) {
        const before = this.stateOf(circuit.agent);
        this.known.set(circuit.agent, circuit);
        if (before !== circuit.state) onChange?.({ before, circuit });
      }
    } catch (error) {
      for (const [key, count] of outputs) this.addOutputs(key, count);
      for (const [key, count] of handoffs) this.addHandoffs(key, count);
      for (const [agent, count] of good) add(this.good, agent, count);
      throw error;
    }
  }

  private addOutputs(key: string, count: number): void {
    const place = this.outputs.has(key) || this.outputs.size < PRODUCERS_MAX ? key : "others";
    add(this.outputs, place, count);
  }

  private addHandoffs(key: string, count: number): void {
    const isKept = this.handoffs.has(key) || this.handoffs.size < PAIRS_MAX;
    add(this.handoffs, isKept ? key : otherHandoffs(key), count);
  }

  /** Matches `count-malformed.lua`: a message counts on both sides or on neither. */
  private isJudged({ agent, messageId }: { readonly agent: string; readonly messageId: string }): boolean {
    const state = this.stateOf(agent);
    if (state === "half_open") return pointOf(messageId) < toRule(this.policyOf(agent)).countedShare;
    return state === "closed";
  }
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

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

type CircuitReaction = z.output<typeof reactionSchema>;

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
function toRule(policy: CircuitPolicy): CircuitRule {
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
