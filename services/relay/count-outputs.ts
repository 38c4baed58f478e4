import { hostname } from "node:os";
import { agentNameOf } from "#shared/envelope";
import type { Keyring } from "#shared/envelope/keys";
import { CircuitWatch } from "#shared/feedback";
import type { Agent, Team } from "#shared/runtime";
import { applyCircuitOrders } from "#shared/runtime/process";
import type { Store } from "#shared/store";
import type { Logger } from "#shared/telemetry";
import { countForProducer } from "#shared/ward";
import type { OpenedDeadMessage } from "#shared/ward";
import type { RelayParts } from "./relay.ts";
import type { RelayedAgent, SoundEntry } from "./verify/verify-entry.ts";
import { checkPayload } from "#shared/contract";
import type { Envelope } from "#shared/envelope";
import { contractFor } from "#shared/runtime";

/** Opens the circuit watch that counts outputs of isolated agents, which must not count their own. */
export function openCircuitWatch(parts: {
  readonly store: Store;
  readonly teams: readonly Team[];
  readonly keyring: Keyring;
  readonly logger: Logger;
}): CircuitWatch {
  const { teams, logger } = parts;
  return new CircuitWatch({
    circuits: applyCircuitOrders(parts),
    policies: new Map(teams.flatMap((team) => [...team.circuits])),
    by: `relay-${hostname()}-${process.pid}`,
    onChange: ({ before, circuit }) =>
      logger.warn({ ...circuit, before }, "a producer's circuit has changed"),
  });
}

/**
 * Counts the outputs that one entry shows: its agent's, and the message that the agent received. Call once per
 * message, only for an entry that was just applied to its run.
 */
export async function countOutputs(parts: RelayParts, by: RelayedAgent, entry: SoundEntry): Promise<void> {
  countGood(parts, by, entry);
  const malformed = entry.messages.filter((message) => isMalformed(parts, by, message));
  await Promise.all(malformed.map(({ record }) => countForProducer(parts.store, record)));
}

/** Counts handoffs by their receivers' contracts, and a result that ends a run as one output. In memory only. */
function countGood({ circuits, teams }: RelayParts, by: RelayedAgent, entry: SoundEntry): void {
  const agent = by.team.agents.get(by.agent);
  if (agent === undefined) return;
  const isEnd = entry.changes[0]?.event.type === "completed";
  const sound = entry.handed.filter((envelope) => isWellFormed(teams, envelope));
  for (const contract of isEnd ? [agent.accepts.id] : sound.map(({ meta }) => meta.contract))
    circuits.count({
      agent: agent.name,
      producer: producerOf(agent, contract),
      messageId: entry.held.messageId,
    });
}

function producerOf(agent: Agent, contract: string) {
  return { agent: agent.id, contract, model: null, prompt_version: agent.options.promptVersion ?? "1" };
}

/**
 * Returns true if an admission shows a malformed output of the producer that it names. An agent is trusted about
 * itself, and not about the sender of its message: that message must be the sender's, and the relay must find it
 * malformed itself.
 */
function isMalformed(
  { teams }: RelayParts,
  by: RelayedAgent,
  { record, envelope }: OpenedDeadMessage,
): boolean {
  const producer = record.producer.agent;
  if (agentNameOf(producer) === by.agent) return true;
  return envelope?.meta.source_agent === producer && !isWellFormed(teams, envelope);
}

/**
 * Returns true if a message matches the contract of its receiver, upcast as the receiver does. False if no loaded
 * team has the receiver.
 */
function isWellFormed(teams: readonly Team[], { meta, data_payload }: Envelope): boolean {
  const name = agentNameOf(meta.target_agent);
  const team = teams.find(({ agents }) => agents.has(name));
  const receiver = team?.agents.get(name);
  if (team === undefined || receiver === undefined) return false;
  const contract = contractFor(receiver, meta);
  try {
    checkPayload(contract, team.contracts.upcast(meta.contract, contract, data_payload));
    return true;
  } catch {
    return false;
  }
}
