import { derivedId, sleep, timestamp } from "#shared/clock";
import { toFailure } from "#shared/failure";
import { admission } from "#shared/runtime/settle";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import { findAwaitingRun } from "#shared/store/upkeep";
import type { CaseAdmission } from "#shared/ward";
import type { Failure } from "#shared/errors";
import { NOTHING_DELIVERED } from "./delivered.ts";
import type { Delivered } from "./delivered.ts";
import { EntryRefusedError } from "./errors.ts";
import type { RelayParts } from "./relay.ts";
import type { RelayedAgent } from "./verify/verify-entry.ts";

/** `name@version` by which the relay signs to the ward. */
export const RELAY_ID = "relay@1";

const STORED_CHARACTERS_MAX = 64 * 1024;

/**
 * Quarantines a message whose agent asked for something forbidden, if the run's record has it open at that agent:
 * nothing else would settle it. Idempotent.
 */
export async function quarantineRefused(
  parts: RelayParts,
  by: RelayedAgent,
  refused: { readonly error: EntryRefusedError; readonly text: string },
): Promise<Delivered> {
  const { claimed } = refused.error;
  if (claimed === null) return NOTHING_DELIVERED;
  const failure = toFailure(refused.error, { agent: by.agent, contract: null, direction: "run" });
  return quarantine(parts, by, {
    ...claimed,
    failure,
    stored: refused.text.slice(0, STORED_CHARACTERS_MAX),
  });
}

/** Minimum time between two scans of all runs for one agent, in ms, so that a flood cannot block Redis. */
const LOOK_EVERY_MS = 250;

const RUN_ID = /"run_id":"([0-9a-f-]{36})"/;

/**
 * Opens a case for a message that its receiver could not read. The relay finds the run that waits for it in the runs'
 * own records, and takes only the bytes and the failure from the agent.
 */
export async function quarantineUnread(
  parts: RelayParts,
  by: RelayedAgent,
  record: CaseAdmission,
): Promise<Delivered> {
  const { store } = parts;
  const { message_id: messageId } = record;
  const [failure] = record.failures;
  if (failure === undefined) {
    const problem = "it admits a message without a failure";
    throw new EntryRefusedError({ agent: by.agent, reason: "admission", problem });
  }
  const hint = RUN_ID.exec(record.stored.replaceAll(String.raw`\"`, '"'))?.[1];
  const isHinted =
    hint !== undefined && (await store.runs.isOpenAt({ runId: hint, messageId, agent: by.agent }));
  const runId = isHinted ? hint : await findRun(parts, by, messageId);
  return quarantine(parts, by, { runId: runId ?? "", messageId, failure, stored: record.stored });
}

/** Looks through every run that is not at its end: for one message of an agent at a time, and not at once again. */
async function findRun({ store }: RelayParts, by: RelayedAgent, messageId: string): Promise<string | null> {
  const before = by.looking.turn;
  const found = before.then(() => findAwaitingRun(store, { messageId, agent: by.agent }));
  by.looking.turn = found.then(rest, rest);
  return found;
}

const rest = (): Promise<void> => sleep(LOOK_EVERY_MS);

/**
 * Makes a case of a message whose outcome is too large to be read, if a run waits for it. The entry's id names the
 * message; it is only a hint, as all that an agent writes.
 */
export async function quarantineTooLarge(
  parts: RelayParts,
  by: RelayedAgent,
  refused: { readonly error: EntryRefusedError; readonly entryId: string },
): Promise<Delivered> {
  const [messageId = ""] = refused.entryId.split("/");
  const runId = await findRun(parts, by, messageId);
  if (runId === null) return NOTHING_DELIVERED;
  const failure = toFailure(refused.error, { agent: by.agent, contract: null, direction: "run" });
  return quarantine(parts, by, { runId, messageId, failure, stored: "" });
}

interface Unsettled {
  /** "" if no run waits for it. */
  readonly runId: string;
  readonly messageId: string;
  readonly failure: Failure;
  readonly stored: string;
}

async function quarantine(parts: RelayParts, by: RelayedAgent, unsettled: Unsettled): Promise<Delivered> {
  const { store, keyring, ward } = parts;
  const { runId, messageId, failure } = unsettled;
  const changes = runId === "" ? [] : [toChange(by, unsettled)];
  if (changes.length > 0) {
    const held = { runId, messageId, agent: by.agent, opens: [] };
    const verdict = await store.journal.applyHeld(held, changes);
    if (verdict !== "applied" && verdict !== "repeated") return NOTHING_DELIVERED;
  }
  const dead = {
    // If no run has this message at this agent, the case must not take the id of a genuine one.
    messageId: runId === "" ? derivedId("unread", by.agent, messageId) : messageId,
    message: null,
    stored: unsettled.stored,
    agent: by.agent,
    contract: null,
    subject: { kind: "payload" },
    disposition: "quarantine",
    failures: [failure],
    producer: "unknown",
  } as const;
  const admitted = admission({ keyring, id: RELAY_ID, team: by.team.name, runId }, dead);
  await ward.admit(admitted);
  return { changes, sends: [], admissions: [admitted] };
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
