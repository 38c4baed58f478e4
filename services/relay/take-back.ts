import { derivedId, now, timestamp } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { open } from "#shared/envelope/seals";
import { SutureError } from "#shared/errors";
import { toFailure } from "#shared/failure";
import { contractFor, NotAcknowledgedError } from "#shared/runtime";
import { admission } from "#shared/runtime/settle";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import type { PendingAcknowledgement } from "#shared/store/settlement";
import type { RelayParts } from "./relay.ts";
import { RUNS_SLOT } from "./verify/verify-branches.ts";
import { RELAY_ID } from "./quarantine.ts";
import type { RelayedAgent, SoundEntry } from "./verify/verify-entry.ts";

/** Maximum pages of overdue handoffs per round. */
const PAGES_MAX = 20;

/**
 * How long after its deadline a handoff may still be missing, in ms: it is sent right after it was recorded. Bounds
 * the harm of a receiver that deletes its own messages.
 */
const SENT_WITHIN_MS = 60_000;

/** Records which receivers of an entry's handoffs must acknowledge in time, as the team declares it. */
export async function expectAcceptance(
  { store }: RelayParts,
  { awaits }: RelayedAgent,
  { sends }: SoundEntry,
): Promise<void> {
  const pending = sends.flatMap(({ lane, agent, jobId }) => {
    const withinMs = lane === "fresh" ? awaits.get(agent) : undefined;
    return withinMs === undefined ? [] : [{ messageId: jobId, agent, dueMs: now() + withinMs }];
  });
  await store.acknowledgements.expect(RUNS_SLOT, pending);
}

/**
 * Takes back handoffs of isolated agents that were not accepted in time, which counts as a rejection. A receiver's
 * own slot shows only that it accepted its own message; whether the message belongs to it, and is still open, is read
 * from the run's record.
 *
 * @returns The number taken back.
 */
export async function takeBackUnaccepted(parts: RelayParts): Promise<number> {
  const { store } = parts;
  const nowMs = now();
  let takenBack = 0;
  let left = 0;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    // Handoffs that are not delivered yet stay at the head and must not block those behind them.
    const due = await store.acknowledgements.due(RUNS_SLOT, { nowMs, offset: left });
    if (due.length === 0) break;
    const ends = await Promise.all(due.map((pending) => see(parts, pending, nowMs)));
    const isOver = due.filter((_, index) => ends[index] !== "undelivered");
    await store.acknowledgements.forget(RUNS_SLOT, isOver);
    takenBack += ends.filter((end) => end === "taken_back").length;
    left += due.length - isOver.length;
  }
  return takenBack;
}

type End = "accepted" | "taken_back" | "undelivered";

async function see(parts: RelayParts, pending: PendingAcknowledgement, nowMs: number): Promise<End> {
  const { store, keyring, logger } = parts;
  const { agent, messageId, dueMs } = pending;
  const job = await store.queues.of(agent, "fresh").getJob(messageId);
  // It is still in an outbox, or was settled.
  const missing: End = nowMs - dueMs > SENT_WITHIN_MS ? "accepted" : "undelivered";
  if (job === undefined) return missing;
  try {
    const message = open({ message: job.data, queue: agent, jobId: messageId, keyring });
    const end = await takeBack(parts, pending, { ...message, data: job.data });
    return end === "undelivered" ? missing : end;
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    // A message that cannot be opened is quarantined by its receiver.
    logger.warn({ err: error, message_id: messageId }, "an unaccepted handoff cannot be opened");
    return "accepted";
  }
}

/**
 * Takes back a handoff first at its receiver, which then replays that outcome, then in its run. If a relay crashes in
 * between, the handoff is still due, and the next relay completes it.
 */
async function takeBack(
  { store, keyring, teams, ward }: RelayParts,
  pending: PendingAcknowledgement,
  { envelope, bytes, digest, data }: ReturnType<typeof open> & { readonly data: unknown },
): Promise<End> {
  const { agent, messageId, dueMs } = pending;
  const { meta } = envelope;
  const team = teams.find((one) => one.agents.has(agent));
  const receiver = team?.agents.get(agent);
  if (team === undefined || receiver === undefined) return "accepted";
  const held = { runId: meta.run_id, messageId, agent, opens: [] };
  const failure = toFailure(new NotAcknowledgedError(agent), {
    agent: receiver.id,
    contract: meta.contract,
    direction: "run",
  });
  const change: RunChange = {
    event: {
      id: derivedId(messageId, "rejected"),
      run_id: meta.run_id,
      type: "rejected",
      at: timestamp(),
      message_id: messageId,
      agent,
      detail: { class: "rejected", code: failure.code, reason: failure.message },
    },
    moves: { state: "in_ward", rank: rankOf.ward(0) },
  };
  const verdict = await store.journal.judgeHeld(held, change.event.id);
  if (verdict === "unknown") return "undelivered";
  if (verdict !== "applied" && verdict !== "repeated") return "accepted";
  // The same in each attempt, so that a repeat recognises its own outcome.
  const outcome = JSON.stringify({ kind: "rejected", at: timestamp(dueMs), code: failure.code });
  if (!(await store.acknowledgements.refuse(pending, { outcome, digest }))) return "accepted";
  crashPoint("W30:after_fenced_before_told");
  const told = await store.journal.applyHeld(held, [change]);
  if (told !== "applied" && told !== "repeated") return "accepted";
  const admitter = { keyring, id: RELAY_ID, team: team.name, runId: meta.run_id };
  const dead = {
    messageId,
    message: { envelope, bytes },
    stored: data,
    agent,
    contract: contractFor(receiver, meta),
    subject: { kind: "payload" },
    disposition: "reroute",
    failures: [failure],
    producer: meta.source_agent,
  } as const;
  await ward.admit(admission(admitter, dead));
  return "taken_back";
}
