import type { Contract } from "#shared/contract";
import { agentNameOf, branchOf, branchTag } from "#shared/envelope";
import { contractFor } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import type { StoredCase } from "#shared/store/cases";
import type { Admission } from "#shared/store/settlement";
import { CaseRecord, ownCaseIds } from "#shared/ward";
import type { OpenedDeadMessage, ReadDeadMessage } from "#shared/ward";

/** Compares a case's record with its verified message; returns the field that differs, or null. Pure. */
export function findMisfit(
  stored: StoredCase,
  { record, envelope }: OpenedDeadMessage,
  admission: Admission,
): string | null {
  const own = [record.case_id, ...ownCaseIds(record.message_id, admission)];
  if (!own.includes(stored.case_id)) return "case_id";
  const branch = envelope === null ? null : branchOf(envelope.meta);
  const expected = {
    message_id: record.message_id,
    run_id: record.run_id,
    agent: record.agent,
    team: record.team,
    ...(envelope === null ? {} : { branch: branch === null ? undefined : branchTag(branch) }),
  };
  const { messageId, runId, agent, team, branchField } = new CaseRecord(stored);
  const kept = new Map(Object.entries({ message_id: messageId, run_id: runId, agent, team, ...branchField }));
  return Object.entries(expected).find(([name, value]) => kept.get(name) !== value)?.[0] ?? null;
}

/**
 * Checks a message against this surgeon's declaration of its team; returns the problem, or null when it is declared
 * or the team is unknown here. An undeclared message waits for a person. Pure.
 */
export function findUndeclared(
  team: Team | undefined,
  { record, envelope, origin }: ReadDeadMessage,
): string | null {
  if (team === undefined) return null;
  if (origin === null) return "Nothing shows that an agent or the gateway ever sealed it.";
  const { from, to } = origin.edge;
  if (!team.agents.has(record.agent)) return `Its team (${team.name}) has no agent ${record.agent}.`;
  const types = team.matrix.get(to)?.get(from);
  if (types === undefined) return `Its team (${team.name}) declares no edge from ${from} to ${to}.`;
  const { handoff_type: type } = envelope.meta;
  if (!types.includes(type)) return `Its team declares no ${type} from ${from} to ${to}.`;
  const accepted = acceptedBy(team, { record, envelope });
  const isForeign = accepted !== undefined && agentNameOf(record.contract) !== accepted.name;
  return isForeign &&
    record.contract !== "" &&
    team.contracts.newest(agentNameOf(record.contract)) !== undefined
    ? `${record.agent} does not accept ${record.contract}.`
    : null;
}

/**
 * Returns the message with its receiver's contract, when its admission names none or another one of the team. Pure.
 */
export function withDeclaredContract(team: Team | undefined, message: ReadDeadMessage): ReadDeadMessage {
  const accepted = team === undefined ? undefined : acceptedBy(team, message);
  if (team === undefined || accepted === undefined) return message;
  const { record } = message;
  const named = agentNameOf(record.contract);
  const isOfReceiver = named === accepted.name || team.contracts.newest(named) === undefined;
  if (isOfReceiver && record.contract !== "") return message;
  return { ...message, record: { ...record, contract: accepted.id, schema: accepted.jsonSchema } };
}

/** The contract that the receiver accepts. A model's answer has the agent's own contract. */
function acceptedBy(
  team: Team,
  { record, envelope }: Pick<ReadDeadMessage, "record" | "envelope">,
): Contract | undefined {
  const receiver = team.agents.get(record.agent);
  if (receiver === undefined || record.subject.kind === "answer") return undefined;
  return contractFor(receiver, envelope.meta);
}
