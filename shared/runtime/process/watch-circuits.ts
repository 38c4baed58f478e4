import { hostname } from "node:os";
import { CircuitWatch } from "#shared/feedback";
import type { CircuitStore } from "#shared/store/feedback";
import type { Agent } from "../define/define-agent.ts";
import type { Team } from "../define/define-team.ts";
import { applyCircuitOrders } from "./apply-circuit-orders.ts";
import type { ApplyCircuitsOptions } from "./apply-circuit-orders.ts";
import { obeyedCircuits } from "./obeyed-circuits.ts";

/** Watches the circuits of the agents that a process runs, and of their receivers. */
export function watchCircuits(
  options: ApplyCircuitsOptions,
  selected: readonly { readonly agent: Agent; readonly team: Team }[],
): CircuitWatch {
  const { store, logger } = options;
  const policies = selected.flatMap(({ agent, team }) => {
    if (!store.isIsolated) return [...team.circuits];
    // Its Redis user can read only these.
    const obeyed = new Set(obeyedCircuits(team, agent.name));
    return [...team.circuits].filter(([name]) => obeyed.has(name));
  });
  return new CircuitWatch({
    circuits: store.isIsolated ? readOnly(store.circuits) : applyCircuitOrders(options),
    policies: new Map(policies),
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

/**
 * Reads circuits without changing them: an isolated agent's own report is not trusted, so its relay counts its
 * outputs and enforces orders.
 */
function readOnly(circuits: CircuitStore): Pick<CircuitStore, "report"> {
  return {
    async report({ circuits: asked }) {
      const found = await Promise.all(asked.map(({ agent }) => circuits.find(agent)));
      return found.filter((one) => one !== null);
    },
  };
}
