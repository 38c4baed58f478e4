import type { CircuitWatch } from "#shared/feedback";
import type { Consumer } from "#shared/store/queues";
import type { Workplace } from "../deliver/delivery.ts";

/** The consumers of one agent. */
interface AgentConsumers {
  readonly place: Pick<Workplace, "agent">;
  readonly consumers: readonly Consumer[];
}

/**
 * Holds the consumers of agents whose open circuit pauses them. On trial they run for the trial's share of each turn.
 * Messages wait in their queues meanwhile: none is moved, and an operator's pause is not touched.
 */
export class HoldByCircuit {
  private readonly circuits: CircuitWatch;
  private readonly agents: readonly AgentConsumers[];
  private readonly turnMs: number;
  private readonly timers = new Set<NodeJS.Timeout>();
  private isEnding = false;

  constructor(
    circuits: CircuitWatch,
    parts: { readonly agents: readonly AgentConsumers[]; readonly turnMs: number },
  ) {
    this.circuits = circuits;
    this.agents = parts.agents;
    this.turnMs = parts.turnMs;
  }

  /** Reads the circuits and applies them until the next turn. Changes nothing while Redis is away. */
  async turn(): Promise<void> {
    await this.circuits.report();
    if (this.isEnding) return;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    for (const agent of this.agents) this.apply(agent);
  }

  stop(): void {
    this.isEnding = true;
    for (const timer of this.timers) clearTimeout(timer);
  }

  private apply({ place, consumers }: AgentConsumers): void {
    const { name } = place.agent;
    const { reaction, trialShare } = this.circuits.policyOf(name);
    const state = reaction.kind === "pause" ? this.circuits.stateOf(name) : "closed";
    for (const consumer of consumers) {
      if (state === "open") consumer.hold("circuit");
      else consumer.release("circuit");
    }
    if (state !== "half_open" || trialShare >= 1) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      for (const consumer of consumers) consumer.hold("circuit");
    }, trialShare * this.turnMs);
    this.timers.add(timer);
  }
}
