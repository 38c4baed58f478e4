import { crashPoint } from "#shared/crash-points";
import { NOTHING_DELIVERED } from "./delivered.ts";
import type { Delivered } from "./delivered.ts";
import { countOutputs } from "./count-outputs.ts";
import type { RelayParts } from "./relay.ts";
import { EntryRefusedError, RunNotToldError } from "./errors.ts";
import { limitedEntry } from "./limited-entry.ts";
import { quarantineUnread } from "./quarantine.ts";
import { verifyEntry } from "./verify/verify-entry.ts";
import type { RelayedAgent, SoundEntry } from "./verify/verify-entry.ts";

/**
 * Verifies one entry of an agent and delivers it: first the run's record, which decides whether the agent has the
 * message, then what follows from it. Idempotent; a relay that dies between any two steps leaves the entry, and the
 * next one does the rest.
 *
 * @throws {EntryRefusedError} Nothing was delivered.
 * @throws {RunNotToldError} Nothing was delivered yet.
 */
export async function deliverEntry(parts: RelayParts, by: RelayedAgent, text: string): Promise<Delivered> {
  const verified = verifyEntry(by, text);
  if (verified.kind === "retry") {
    await parts.store.queues.add(verified.send);
    return { ...NOTHING_DELIVERED, sends: [verified.send] };
  }
  if (verified.kind === "unread") return quarantineUnread(parts, by, verified.record);
  await countOpened(parts, verified);
  const entry = await limitedEntry(parts, verified);
  const { queues, journal, options } = parts.store;
  const verdict = await journal.applyHeld(entry.held, entry.changes);
  crashPoint("W26:after_told_before_relayed");
  if (verdict === "unknown") throw new RunNotToldError(entry.held.messageId);
  // A notice that work began may come after its end.
  if (verdict === "settled" && entry.changes[0]?.event.type === "accepted") return NOTHING_DELIVERED;
  if (verdict === "settled")
    throw refusal(by, entry, { reason: "settled", problem: "the message is settled" });
  if (verdict === "elsewhere")
    throw refusal(by, entry, { reason: "not_held", problem: "another agent has the message" });
  if (verdict === "taken")
    throw refusal(by, entry, { reason: "not_held", problem: "a message that it opens was opened before" });
  await Promise.all(entry.sends.map((send) => queues.add(send)));
  await Promise.all(entry.admissions.map((admission) => options.admit(parts.store, admission)));
  if (verdict === "applied") await countOutputs(parts, by, entry);
  crashPoint("W27:after_relayed_before_forgotten");
  return entry;
}

function refusal(
  { agent }: RelayedAgent,
  { held }: SoundEntry,
  why: { readonly reason: "settled" | "not_held"; readonly problem: string },
): EntryRefusedError {
  return new EntryRefusedError({ agent, ...why, claimed: held });
}

/** Counted only for a message that the agent has, so that nobody uses up the bound of another's run. */
async function countOpened({ store }: RelayParts, entry: SoundEntry): Promise<void> {
  const { held, ofRunMax } = entry;
  const { runId, messageId, agent, opens } = held;
  if (opens.length < 2 || !(await store.runs.isOpenAt(held))) return;
  const made = await store.runs.refuseHandoffs(runId, { messageId, count: opens.length, max: ofRunMax });
  if (made === null) return;
  const problem = `its run has made ${made} handoffs, and with these it would be more than ${ofRunMax}`;
  throw new EntryRefusedError({ agent, reason: "handoffs", problem, claimed: held });
}
