import type { Job } from "../queues/handoff-queues.ts";
import type { RunMessage } from "../runs/run-record.ts";
import type { Store } from "../store.ts";

/** A message that a run waits for, with every agent that had a message of that run. */
export interface Sought {
  readonly message: RunMessage;
  readonly agents: readonly string[];
}

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

/**
 * Finds what holds a message: a queue or a fan-out ("queue"), a case or the inbox ("ward"), null; reads data, no
 * counters.
 * @param hasCase - Returns true if the ward holds an open case for this message.
 */
export async function findHolder(
  store: Store,
  sought: Sought,
  hasCase: (messageId: string) => Promise<boolean>,
): Promise<"queue" | "ward" | null> {
  const { message } = sought;
  const isOpen = message.state === "open";
  if (isOpen && (await isQueued(store, message))) return "queue";
  if (isOpen && (await store.fanOuts.isWaiting(message.agent, message.message_id))) return "queue";
  if (await hasCase(message.message_id)) return "ward";
  return (await isInInbox(store, message)) ? "ward" : null;
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
