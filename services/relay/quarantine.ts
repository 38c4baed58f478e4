import { derivedId, timestamp } from "#shared/clock";
import { toFailure } from "#shared/failure";
import { admission } from "#shared/runtime";
import { findAwaitingRun, rankOf } from "#shared/store";
import type { RunChange } from "#shared/store";
import type { CaseAdmission } from "#shared/ward";
import type { Failure } from "#shared/errors";
import { EntryRefusedError } from "./errors.ts";
import type { RelayParts } from "./relay.ts";
import type { RelayedAgent } from "./verify/verify-entry.ts";

/** `name@version` by which the relay signs to the ward. */
const RELAY_ID = "relay@1";

const STORED_CHARACTERS_MAX = 64 * 1024;

/**
 * Puts a message that its agent asked something forbidden about before a person, if the run's record has it open at
 * that agent: nobody else will settle it. Idempotent.
 */
export async function quarantineRefused(
  parts: RelayParts,
  by: RelayedAgent,
  refused: { readonly error: EntryRefusedError; readonly text: string },
): Promise<void> {
  const { claimed } = refused.error;
  if (claimed === null) return;
  const failure = toFailure(refused.error, { agent: by.agent, contract: null, direction: "run" });
  await quarantine(parts, by, {
    ...claimed,
    failure,
    stored: refused.text.slice(0, STORED_CHARACTERS_MAX),
  });
}

const RUN_ID = /"run_id":"([0-9a-f-]{36})"/;

/**
 * Makes a case of a letter that its receiver could not read. What it is and which run waits for it the relay finds out
 * itself, by the runs' own records: of the agent's word only the bytes and the failure are kept.
 */
export async function quarantineUnread(
  parts: RelayParts,
  by: RelayedAgent,
  record: CaseAdmission,
): Promise<void> {
  const { store } = parts;
  const { message_id: messageId } = record;
  const [failure] = record.failures;
  if (failure === undefined) {
    const problem = "it admits a letter without a failure";
    throw new EntryRefusedError({ agent: by.agent, reason: "admission", problem });
  }
  const hint = RUN_ID.exec(record.stored.replaceAll(String.raw`\"`, '"'))?.[1];
  const isHinted = hint !== undefined && (await hasOpen(parts, by, { runId: hint, messageId }));
  const runId = isHinted ? hint : await findAwaitingRun(store, { messageId, agent: by.agent });
  await quarantine(parts, by, { runId: runId ?? "", messageId, failure, stored: record.stored });
}

async function hasOpen(
  { store }: RelayParts,
  { agent }: RelayedAgent,
  { runId, messageId }: { readonly runId: string; readonly messageId: string },
): Promise<boolean> {
  const messages = await store.runs.messages(runId);
  return messages.some((one) => one.message_id === messageId && one.agent === agent && one.state === "open");
}

interface Unsettled {
  /** "" when no run waits for it. */
  readonly runId: string;
  readonly messageId: string;
  readonly failure: Failure;
  readonly stored: string;
}

async function quarantine(parts: RelayParts, by: RelayedAgent, unsettled: Unsettled): Promise<void> {
  const { store, keyring } = parts;
  const { runId, messageId, failure } = unsettled;
  if (runId !== "") {
    const held = { runId, messageId, agent: by.agent, opens: [] };
    const verdict = await store.journal.applyHeld(held, [toChange(by, unsettled)]);
    if (verdict !== "applied" && verdict !== "repeated") return;
  }
  const dead = {
    // Of a message that no run has at this agent, the case must not stand in the way of the genuine one's.
    messageId: runId === "" ? derivedId("unread", by.agent, messageId) : messageId,
    letter: null,
    stored: unsettled.stored,
    agent: by.agent,
    contract: null,
    subject: { kind: "payload" },
    disposition: "quarantine",
    failures: [failure],
    producer: "unknown",
  } as const;
  await store.options.admit(store, admission({ keyring, id: RELAY_ID, team: by.team.name, runId }, dead));
}

function toChange({ agent }: RelayedAgent, { runId, messageId, failure }: Unsettled): RunChange {
  return {
    event: {
      id: derivedId(messageId, "refused"),
      run_id: runId,
      type: "quarantined",
      at: timestamp(),
      message_id: messageId,
      agent,
      detail: { class: failure.failure_class, code: failure.code, reason: failure.message },
    },
    moves: { state: "quarantined", rank: rankOf.ward(0) },
  };
}
