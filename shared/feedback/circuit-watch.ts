import { handoffKey, otherHandoffs, pointOf, producerKey } from "#shared/store/feedback";
import type {
  Circuit,
  CircuitState,
  CircuitStore,
  HandoffPair,
  ProducerOfOutput,
} from "#shared/store/feedback";
import { CIRCUIT_POLICY_DEFAULT, toRule } from "./circuit-policy.ts";
import type { CircuitPolicy } from "./circuit-policy.ts";

export interface CircuitWatchOptions {
  readonly circuits: Pick<CircuitStore, "report">;
  /** Of every agent that this process makes, or hands to; by plain name. */
  readonly policies: ReadonlyMap<string, CircuitPolicy>;
  /** Who tells, for the audit. */
  readonly by: string;
  readonly onChange?: (changed: { readonly before: CircuitState; readonly circuit: Circuit }) => void;
}

/** Producers told apart between two tells; a model's name comes from its endpoint and could be a new one each time. */
const PRODUCERS_MAX = 200;

/** Pairs of agents told apart between two tells; the teams' matrices bound them, and what a surgeon sends on. */
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

  /** Whether the work that this message is about goes another way than usual because of the agent's circuit. */
  isReplaced(agent: string, messageId: string): boolean {
    const state = this.stateOf(agent);
    if (state === "half_open") return pointOf(messageId) >= this.policyOf(agent).trialShare;
    return state === "open";
  }

  /**
   * Counts one well-formed output.
   *
   * @param made.agent - Plain name of who made it; of nobody's circuit where there is none of that name.
   * @param made.messageId - The message that was handled.
   */
  count(made: {
    readonly agent: string;
    readonly producer: ProducerOfOutput;
    readonly messageId: string;
  }): void {
    this.addOutputs(producerKey(made.producer), 1);
    if (this.isJudged(made)) add(this.good, made.agent, 1);
  }

  /** Counts what became of one handoff, once its receiver is done with it or it is known not to go on. */
  countHandoff(pair: HandoffPair & { readonly isDone: boolean }): void {
    this.addHandoffs(handoffKey(pair), 1);
  }

  /**
   * Tells what was counted and hears how the circuits stand, in one script. What could not be told is told next time.
   *
   * @throws {Error} Redis could not be asked; what is known stays as it was.
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

  /** As `count-malformed.lua` has it for the other side: the same message counts in both or in neither. */
  private isJudged({ agent, messageId }: { readonly agent: string; readonly messageId: string }): boolean {
    const state = this.stateOf(agent);
    if (state === "half_open") return pointOf(messageId) < toRule(this.policyOf(agent)).countedShare;
    return state === "closed";
  }
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
