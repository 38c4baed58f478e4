import { hostname } from "node:os";
import { CircuitWatch } from "#shared/feedback";
import type { Agent } from "./define-agent.ts";
import type { Team } from "./define-team.ts";
import { obeyCircuitOrders } from "./obey-circuit-orders.ts";
import type { ObeyCircuitsOptions } from "./obey-circuit-orders.ts";

/** An isolated agent's relay counts what it makes; its own word would be no proof. */
const UNTOLD = { tell: () => Promise.resolve([]) };

/** Watches the circuits of the agents that a process works for, and of those that they hand to. */
export function watchCircuits(
  options: ObeyCircuitsOptions,
  selected: readonly { readonly agent: Agent; readonly team: Team }[],
): CircuitWatch {
  const { store, logger } = options;
  const teams = new Set(selected.map(({ team }) => team));
  return new CircuitWatch({
    circuits: store.isIsolated ? UNTOLD : obeyCircuitOrders(options),
    policies: new Map([...teams].flatMap((team) => [...team.circuits])),
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
