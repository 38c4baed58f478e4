import { derivedId, timestamp } from "#shared/clock";
import { rankOf } from "../runs/run-event.ts";
import type { RunChange } from "../runs/run-event.ts";
import type { RunMessage } from "../runs/run-record.ts";
import { relistJob } from "../scripts/queues.ts";
import type { Store } from "../store.ts";
import { jobOf } from "./find-holder.ts";
import type { LostMessage } from "./read-audit.ts";

/** Written by `relist-job.lua` for a job whose hash was deleted. */
const EMPTY = "{}";

/**
 * Repairs a lost message. An open one gets its job back under the same id, with its bytes if stored, else empty: its
 * agent uses the delivery's, or opens a case. One past its run's expiry ends. @returns The repair; null for none.
 */
export async function repairLost(
  store: Store,
  found: {
    readonly lost: LostMessage;
    readonly message: RunMessage;
    readonly nowMs: number;
    readonly graceMs: number;
  },
): Promise<LostMessage["repaired_as"] | null> {
  const { lost, message, nowMs, graceMs } = found;
  const expiresMs = Number((await store.redis.hget(store.keys.run(lost.run_id), "expires_ms")) ?? Infinity);
  const isRelisted = lost.repaired_as === "relisted";
  if (nowMs > expiresMs + graceMs) {
    if (isRelisted && !(await removeEmpty(store, message))) return null;
    await store.journal.apply([endedChange(lost, message)]);
    return "expired";
  }
  return lost.state === "open" && !isRelisted && (await relist(store, message, nowMs)) ? "relisted" : null;
}

async function relist({ redis, queues }: Store, message: RunMessage, nowMs: number): Promise<boolean> {
  const job = jobOf(message);
  const key = queues.keyOf(job);
  const base = key.slice(0, -job.jobId.length);
  return relistJob.run(redis, {
    job: key,
    lock: `${key}:lock`,
    wait: `${base}wait`,
    active: `${base}active`,
    paused: `${base}paused`,
    delayed: `${base}delayed`,
    prioritized: `${base}prioritized`,
    failed: `${base}failed`,
    marker: `${base}marker`,
    jobId: job.jobId,
    nowMs,
  });
}

/** Removes the empty job of a message that ends. @returns False if a worker holds it, or it has its bytes. */
async function removeEmpty({ redis, queues }: Store, message: RunMessage): Promise<boolean> {
  const job = jobOf(message);
  if ((await redis.hget(queues.keyOf(job), "data")) !== EMPTY) return false;
  return (await queues.of(job.agent, job.lane).remove(job.jobId)) === 1;
}

function endedChange({ run_id, message_id, agent }: LostMessage, { branch }: RunMessage): RunChange {
  const code = "MESSAGE_GONE";
  const message = `Nothing held message ${message_id} any more when its run expired.`;
  return {
    event: {
      id: derivedId(message_id, "gone"),
      run_id,
      type: "ended",
      at: timestamp(),
      message_id,
      agent,
      detail: { end: "expired", class: "expired", code, reason: message },
    },
    moves: { state: "closed", rank: rankOf.closed() },
    // The end of a branch is not the end of its run: its join decides that.
    ...(branch === null ? { end: "expired", error: { class: "expired", code, message } } : { branch }),
  };
}
