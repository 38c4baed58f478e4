import { hostname } from "node:os";
import { CircuitWatch } from "#shared/feedback";
import type { Agent } from "../define/define-agent.ts";
import type { Team } from "../define/define-team.ts";
import { applyCircuitOrders } from "./apply-circuit-orders.ts";
import type { ApplyCircuitsOptions } from "./apply-circuit-orders.ts";

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
