import { crashPoint } from "#shared/crash-points";
import type { HeldMessage, HeldVerdict } from "#shared/store/runs";
import { NOTHING_DELIVERED } from "./delivered.ts";
import type { Delivered } from "./delivered.ts";
import { countOutputs } from "./count-outputs.ts";
import type { RelayParts } from "./relay.ts";
import { EntryRefusedError, RunRecordBehindError } from "./errors.ts";
import type { RefusalReason } from "./errors.ts";
import { limitedEntry } from "./limited-entry.ts";
import { quarantineUnread } from "./quarantine.ts";
import { expectAcceptance } from "./take-back.ts";
import { verifyEntry } from "./verify/verify-entry.ts";
import type { RelayedAgent, SoundEntry } from "./verify/verify-entry.ts";
import { now } from "#shared/clock";
import { toMicro } from "#shared/runtime/fan-out";
import { RUNS_SLOT } from "./verify/verify-branches.ts";
import type { Collected } from "#shared/store/fan-outs";
import type { CollectedBranch } from "#shared/store/settlement";

/**
 * Verifies one outbox entry of an agent and delivers it: first to the run's record, which decides whether the agent
 * holds the message, then its effects. Idempotent: a relay that crashes between two steps leaves the entry, and the
 * next one completes it.
 *
 * @throws {EntryRefusedError} Nothing was delivered.
 * @throws {RunRecordBehindError} Nothing was delivered yet.
 */
export async function deliverEntry(parts: RelayParts, by: RelayedAgent, text: string): Promise<Delivered> {
  const verified = verifyEntry(by, text);
  if (verified.kind === "retry") {
    await parts.store.queues.add(verified.send);
    return { ...NOTHING_DELIVERED, sends: [verified.send] };
  }
  if (verified.kind === "unread") return quarantineUnread(parts, by, verified.record);
  await countOpened(parts, verified);
  const entry = await withCollected(parts, by, await limitedEntry(parts, verified));
  const { queues, journal } = parts.store;
  const verdict = await journal.applyHeld(entry.held, entry.changes);
  crashPoint("W26:after_told_before_relayed");
  // A notice of acceptance may arrive after the end.
  if (verdict === "settled" && entry.changes[0]?.event.type === "accepted") return NOTHING_DELIVERED;
  requireHeld(by, entry, verdict);
  await Promise.all([expectAcceptance(parts, by, entry), openFanOut(parts, entry)]);
  await Promise.all(entry.sends.map((send) => queues.add(send)));
  await Promise.all(entry.admissions.map((admission) => parts.ward.admit(admission)));
  if (verdict === "applied" && entry.collected === null) await countOutputs(parts, by, entry);
  crashPoint("W27:after_relayed_before_forgotten");
  return entry;
}

/**
 * Records a branch's answer before its message is closed, because a branch without open messages counts as failed.
 *
 * @throws {EntryRefusedError
 * RunRecordBehindError} The agent does not hold the message, or it belongs to another branch.
 */
async function withCollected(parts: RelayParts, by: RelayedAgent, entry: SoundEntry): Promise<SoundEntry> {
  const [own] = entry.changes;
  if (entry.collected === null || own === undefined) return entry;
  requireHeld(by, entry, await parts.store.journal.judgeHeld(entry.held, own.event.id));
  const as = await collectBranch(parts, by, { held: entry.held, collected: entry.collected });
  crashPoint("W29:after_counted_before_told");
  const event = { ...own.event, detail: { ...own.event.detail, as } };
  return { ...entry, changes: [{ ...own, event }] };
}

const REFUSALS: Readonly<Record<Refused, { readonly reason: RefusalReason; readonly problem: string }>> = {
  settled: { reason: "settled", problem: "the message is settled" },
  elsewhere: { reason: "not_held", problem: "another agent has the message" },
  strange: { reason: "branch", problem: "the message is of another branch than it says" },
  taken: { reason: "not_held", problem: "a message that it opens was opened before" },
};

type Refused = Exclude<HeldVerdict, "applied" | "repeated" | "unknown">;

/**
 * @throws {EntryRefusedError
 * RunRecordBehindError} The agent does not hold the message that it claims.
 */
function requireHeld({ agent }: RelayedAgent, { held }: SoundEntry, verdict: HeldVerdict): void {
  if (verdict === "applied" || verdict === "repeated") return;
  if (verdict === "unknown") throw new RunRecordBehindError(held.messageId);
  throw new EntryRefusedError({ agent, ...REFUSALS[verdict], claimed: held });
}

/** Counted only for a message that the agent holds, so that it cannot use up another run's limit. */
async function countOpened({ store }: RelayParts, entry: SoundEntry): Promise<void> {
  const { held, made: count, ofRunMax } = entry;
  const { runId, messageId, agent } = held;
  if (count < 2 || !(await store.runs.isOpenAt(held))) return;
  const made = await store.runs.refuseHandoffs(runId, { messageId, count, max: ofRunMax });
  if (made === null) return;
  const problem = `its run has made ${made} handoffs, and with these it would be more than ${ofRunMax}`;
  throw new EntryRefusedError({ agent, reason: "handoffs", problem, claimed: held });
}

/**
 * Opens the fan-out of an entry, if any, before its branches are sent: in the slot of the runs, which no agent can
 * access. Idempotent. The remaining budget is computed from the run's record.
 */
async function openFanOut({ store, settlement }: RelayParts, { fanOut }: SoundEntry): Promise<void> {
  if (fanOut === null) return;
  const run = await store.runs.find(fanOut.runId);
  const spent = { costMicro: toMicro(run?.cost ?? 0), tokens: run?.tokens ?? 0 };
  const follows = await store.fanOuts.open({ ...fanOut, openedMs: now(), spent }, RUNS_SLOT);
  await store.confirmation.confirm(store.keys.fanOut(RUNS_SLOT, fanOut.fanOutId), "total");
  crashPoint("W28:after_fan_out_before_branches");
  if (follows !== null) await settlement.deliver(RUNS_SLOT, follows);
}

/**
 * Records a branch's answer at its joining agent, once, and delivers the effects. The run's record has confirmed that
 * this agent holds the last message of that branch. The money spent comes from the run's record as well: an agent
 * that reports too much would keep other branches from starting, and one that reports too little could spend without
 * limit.
 *
 * @returns How it was counted; `unknown` if this agent joins no such fan-out.
 */
async function collectBranch(
  { store, settlement }: RelayParts,
  { agent }: RelayedAgent,
  came: { readonly held: HeldMessage; readonly collected: CollectedBranch },
): Promise<Collected["as"]> {
  const { held, collected } = came;
  const { fanOutId, index } = collected;
  // A branch may end at an agent that joins other fan-outs.
  if ((await store.fanOuts.joinOf(RUNS_SLOT, fanOutId)) !== agent) return "unknown";
  const run = await store.runs.find(held.runId);
  const { as, entry } = await store.fanOuts.collect(RUNS_SLOT, {
    ...collected,
    messageId: held.messageId,
    costMicro: toMicro(run?.cost ?? 0),
    tokens: run?.tokens ?? 0,
    isOfRun: true,
  });
  await store.confirmation.confirm(store.keys.fanOut(RUNS_SLOT, fanOutId), `b:${index}`);
  if (entry !== null) await settlement.deliver(RUNS_SLOT, entry);
  return as;
}
