import { hostname } from "node:os";
import type { Keyring } from "#shared/envelope";
import { CircuitWatch } from "#shared/feedback";
import { obeyCircuitOrders } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import type { Store } from "#shared/store";
import type { Logger } from "#shared/telemetry";
import type { RelayedAgent, SoundEntry } from "./verify/verify-entry.ts";

/** Counts well-formed outputs of isolated agents, which may not count them themselves. */
export function openCircuitWatch(parts: {
  readonly store: Store;
  readonly teams: readonly Team[];
  readonly keyring: Keyring;
  readonly logger: Logger;
}): CircuitWatch {
  const { teams, logger } = parts;
  return new CircuitWatch({
    circuits: obeyCircuitOrders(parts),
    policies: new Map(teams.flatMap((team) => [...team.circuits])),
    by: `relay-${hostname()}-${process.pid}`,
    onChange: ({ before, circuit }) =>
      logger.warn({ ...circuit, before }, "a producer's circuit has changed"),
  });
}

/** Counts what an entry hands on, and work that ends a run as one output. Only memory is touched. */
export function countOutputs(circuits: CircuitWatch, by: RelayedAgent, entry: SoundEntry): void {
  const agent = by.team.agents.get(by.agent);
  if (agent === undefined) return;
  const isEnd = entry.changes[0]?.event.type === "completed";
  for (const contract of isEnd ? [agent.accepts.id] : entry.contracts) {
    circuits.count({
      agent: agent.name,
      producer: {
        agent: agent.id,
        contract,
        model: null,
        prompt_version: agent.options.promptVersion ?? "1",
      },
      messageId: entry.held.messageId,
    });
  }
}
