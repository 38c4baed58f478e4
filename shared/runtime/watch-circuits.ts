import { hostname } from "node:os";
import { CircuitWatch } from "#shared/feedback";
import type { Store } from "#shared/store";
import type { Logger } from "#shared/telemetry";
import type { Agent } from "./define-agent.ts";
import type { Team } from "./define-team.ts";

/** An isolated agent's relay counts what it makes; its own word would be no proof. */
const UNTOLD = { tell: () => Promise.resolve([]) };

/** Watches the circuits of the agents that a process works for, and of those that they hand to. */
export function watchCircuits(
  { store, logger }: { readonly store: Store; readonly logger: Logger },
  selected: readonly { readonly agent: Agent; readonly team: Team }[],
): CircuitWatch {
  const teams = new Set(selected.map(({ team }) => team));
  return new CircuitWatch({
    circuits: store.isIsolated ? UNTOLD : store.circuits,
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
