import { hostname } from "node:os";
import { now } from "#shared/clock";
import type { Keyring } from "#shared/envelope/keys";
import { CircuitWatch } from "#shared/feedback";
import { OrderedCircuits } from "#shared/people";
import type { Store } from "#shared/store";
import type { Circuit, CircuitStore } from "#shared/store/feedback";
import type { Consumer } from "#shared/store/queues";
import type { Logger } from "#shared/telemetry";
import type { Agent } from "../define/define-agent.ts";
import type { Team } from "../define/define-team.ts";
import type { Workplace } from "../deliver/delivery.ts";

/** Watches the circuits of the agents that a process runs, and of their receivers. */
export function watchCircuits(
  options: ApplyCircuitsOptions,
  selected: readonly { readonly agent: Agent; readonly team: Team }[],
): CircuitWatch {
  const { logger } = options;
  return new CircuitWatch({
    circuits: applyCircuitOrders(options),
    policies: new Map(selected.flatMap(({ team }) => [...team.circuits])),
    by: `agents-${hostname()}-${process.pid}`,
    onChange: ({ before, circuit }) =>
      circuit.state === "open"
        ? logger.error(
            { ...circuit, before },
            "a producer's circuit is open: too much of what it makes is malformed",
          )
        : logger.warn({ ...circuit, before }, "a producer's circuit has changed"),
  });
}

interface ApplyCircuitsOptions {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly logger: Logger;
}

/** Maximum delay between an order and its circuit, in ms; a longer difference was caused by something else. */
const SETTLE_MS = 3000;

/**
 * Reports outputs and returns the circuits, corrected by people's signed orders: a circuit that a person opened stays
 * open until they close it, and one that is held open without an order is closed. Corrects the stored records.
 */
function applyCircuitOrders(options: ApplyCircuitsOptions): Pick<CircuitStore, "report"> {
  const ordered = new OrderedCircuits(options);
  return {
    async report(outputs) {
      const found = await options.store.circuits.report(outputs);
      const circuits = await ordered.apply(found);
      for (const [i, one] of found.entries())
        await mend(options, ordered, { found: one, wanted: circuits[i] });
      return circuits;
    },
  };
}

async function mend(
  { store, logger }: ApplyCircuitsOptions,
  ordered: OrderedCircuits,
  { found, wanted }: { readonly found: Circuit; readonly wanted: Circuit | undefined },
): Promise<void> {
  if (wanted === undefined || (wanted.state === found.state && wanted.held_by === found.held_by)) return;
  const { agent, state, generation } = found;
  const order = ordered.of(agent);
  if (order !== null && now() - order.at_ms < SETTLE_MS) return;
  const to = wanted.state === "open" ? "open" : "closed";
  const by = order?.by ?? "suture";
  const why = "Its record was not what people had ordered.";
  const done = await store.circuits.set({ agent, to, by, why, seen: generation });
  if (done === "set")
    logger.error(
      { agent, found: state, wanted: to, ordered_by: order?.by ?? null },
      "without a person's word a circuit was switched, and is switched back",
    );
}

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
