import { derivedId } from "#shared/clock";
import { agentNameOf } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import { branchFieldOf } from "#shared/runtime";
import { openAdmission } from "#shared/ward";
import type { CaseAdmission, OpenedDeadMessage } from "#shared/ward";
import { EntryRefusedError } from "../errors.ts";
import type { ClaimedMessage } from "../errors.ts";
import type { ReadEntry } from "./read-entry.ts";
import type { SenderFacts } from "./verify-sends.ts";

/**
 * Verifies that an admission to the ward is signed by this agent, about a message of the entry's run. The caller
 * checks which message it may be.
 *
 * @param claimed - Null if the entry changes no run.
 * @throws {EntryRefusedError}
 */
export function verifyAdmission(
  by: SenderFacts,
  claimed: ClaimedMessage | null,
  admission: ReadEntry["admissions"][number],
): OpenedDeadMessage {
  const { agent, keyring } = by;
  const refuse = (problem: string, cause?: unknown): EntryRefusedError =>
    new EntryRefusedError({ agent, reason: "admission", problem, claimed }, cause);
  const message = openOrRefuse();
  const { record, envelope } = message;
  if (agentNameOf(record.admitted_by) !== agent) throw refuse("an admission is signed by another agent");
  if (claimed !== null && record.run_id !== claimed.runId) throw refuse("an admission is of another run");
  if (!by.teams.has(record.team)) throw refuse("an admission is of a team that does not have it");
  if (claimed !== null && !isOfMessage(by, { claimed, record, envelope }))
    throw refuse("an admission is of a message that it neither has nor made");
  const reopened = envelope?.meta["case_id"];
  if (record.case_id !== derivedId("case", record.message_id) && record.case_id !== reopened)
    throw refuse("an admission names a case that is not its message's");
  if (envelope !== null && record.branch !== branchFieldOf(envelope.meta).branch)
    throw refuse("an admission names another branch than its message");
  return message;

  function openOrRefuse() {
    try {
      return openAdmission({ admission, keyring });
    } catch (error) {
      throw refuse("an admission does not verify", error);
    }
  }
}

/** Accepts the agent's own message, or a child of it on one of the agent's edges. */
function isOfMessage(
  { agent, receivers }: SenderFacts,
  admitted: {
    readonly claimed: ClaimedMessage;
    readonly record: CaseAdmission;
    readonly envelope: Envelope | null;
  },
): boolean {
  const { claimed, record, envelope } = admitted;
  if (record.message_id === claimed.messageId) return record.agent === agent;
  if (envelope === null || !receivers.has(record.agent)) return false;
  return envelope.meta.parent_id === claimed.messageId && agentNameOf(envelope.meta.source_agent) === agent;
}
