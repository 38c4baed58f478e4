import type { Job } from "../queues/handoff-queues.ts";
import type { RunMessage } from "../runs/run-record.ts";
import type { Store } from "../store.ts";
import { WAITING_STATUSES } from "./read-audit.ts";

/** Maximum ids of a queue that are scanned for one job; a longer queue is assumed to hold it. */
const LISTED_MAX = 20_000;

/** Returns the job that an open message should have now. */
export function jobOf(message: RunMessage): Pick<Job, "lane" | "agent" | "jobId"> {
  const requeues = Math.max(0, message.rank - 1);
  const { agent, message_id } = message;
  return requeues === 0
    ? { lane: "fresh", agent, jobId: message_id }
    : { lane: "retry", agent, jobId: `${message_id}.${requeues}` };
}

/** Returns true if a queue, fan-out, case or inbox holds a message. @param hasCase - Whether an open case does. */
export async function isHeld(
  store: Store,
  message: RunMessage,
  hasCase: (messageId: string) => Promise<boolean>,
): Promise<boolean> {
  if (message.state === "open") {
    if (await isQueued(store, message)) return true;
    if (await store.fanOuts.isWaiting(message.agent, message.message_id)) return true;
  }
  return (await hasCase(message.message_id)) || isInInbox(store, message);
}

async function isQueued({ redis, queues }: Store, message: RunMessage): Promise<boolean> {
  const job = jobOf(message);
  const key = queues.keyOf(job);
  const base = key.slice(0, -job.jobId.length);
  const [isLocked, exists, isFinished, delayed, prioritized, failed, active, paused, waiting, length] =
    await Promise.all([
      redis.exists(`${key}:lock`),
      redis.exists(key),
      redis.hexists(key, "finishedOn"),
      redis.zscore(`${base}delayed`, job.jobId),
      redis.zscore(`${base}prioritized`, job.jobId),
      redis.zscore(`${base}failed`, job.jobId),
      redis.lpos(`${base}active`, job.jobId),
      redis.lpos(`${base}paused`, job.jobId),
      redis.lpos(`${base}wait`, job.jobId, "RANK", -1, "MAXLEN", LISTED_MAX),
      redis.llen(`${base}wait`),
    ]);
  // A worker holds it, whatever was deleted.
  if (isLocked === 1) return true;
  if (exists === 0 || isFinished === 1) return false;
  return (
    [delayed, prioritized, failed, active, paused, waiting].some((at) => at !== null) || length > LISTED_MAX
  );
}

/** Checks for a dead message that is not taken in yet. */
async function isInInbox({ redis, keys }: Store, { message_id }: RunMessage): Promise<boolean> {
  const lists = await Promise.all([keys.inbox(), keys.inboxRefused()].map((key) => redis.lrange(key, 0, -1)));
  return lists.flat().some((entry) => entry.includes(message_id));
}

/** Returns true if the message has not moved since it was read; the reads are not one snapshot. */
export async function isStillAwaited(store: Store, runId: string, seen: RunMessage): Promise<boolean> {
  const again = (await store.runs.messages(runId)).find((message) => message.message_id === seen.message_id);
  return again !== undefined && again.state === seen.state && again.rank === seen.rank;
}

const RUNS_MAX = 10_000;
const RUNS_AT_ONCE = 1000;

/** Finds the run of a message of unreadable form among 10,000 that have not ended. @returns Its id, or null. */
export async function findAwaitingRun(
  store: Store,
  wanted: { readonly messageId: string; readonly agent: string },
): Promise<string | null> {
  for (const status of WAITING_STATUSES) {
    const ids = await store.runs.idsIn(status, RUNS_MAX);
    for (let at = 0; at < ids.length; at += RUNS_AT_ONCE) {
      const page = ids.slice(at, at + RUNS_AT_ONCE);
      const states = await Promise.all(
        page.map((id) => store.redis.hget(`${store.keys.run(id)}:messages`, wanted.messageId)),
      );
      const index = states.findIndex((text) => {
        const [, state, agent] = text?.split("|") ?? [];
        return state === "open" && agent === wanted.agent;
      });
      if (index !== -1) return page[index] ?? null;
    }
  }
  return null;
}
