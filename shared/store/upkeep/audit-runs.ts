import { now } from "#shared/clock";
import { queueName } from "../queues/handoff-queues.ts";
import type { Store } from "../store.ts";
import { rankOf } from "../runs/run-event.ts";
import type { RunMessage } from "../runs/run-record.ts";

/** What an independent look at the queues, outboxes and cases says of the runs that are not at their end. */
export interface Audit {
  /** Runs looked at. */
  readonly runs: number;
  /** Open messages that are in a queue, or in an outbox on their way. */
  readonly inQueues: number;
  readonly inWard: number;
  /** Messages that the record calls open and nobody holds. Empty is what the guarantee says. */
  readonly lost: readonly { readonly run_id: string; readonly message_id: string; readonly agent: string }[];
  readonly at_ms: number;
}

const RUNS_MAX = 10_000;

/**
 * Counts the other side of the conservation equation: not what the counters say, but what is really there. For each
 * message that a run waits for, somebody must hold it.
 *
 * @param hasCase - Whether the ward holds a case for this message.
 */
export async function auditRuns(
  store: Store,
  hasCase: (messageId: string) => Promise<boolean>,
): Promise<Audit> {
  const statuses = ["queued", "running", "in_ward", "quarantined"] as const;
  const ids = (await Promise.all(statuses.map((status) => store.runs.idsIn(status, RUNS_MAX)))).flat();
  const tally = { inQueues: 0, inWard: 0 };
  const lost: { run_id: string; message_id: string; agent: string }[] = [];
  for (const runId of new Set(ids)) {
    const messages = await store.runs.messages(runId);
    const agents = messages.map(({ agent }) => agent);
    for (const message of messages) {
      if (message.state === "closed" || isElsewhere(message)) continue;
      if (await isHeldByQueue(store, { message, agents })) tally.inQueues += 1;
      else if (await hasCase(message.message_id)) tally.inWard += 1;
      else if (await isStillAwaited(store, runId, message)) {
        lost.push({ run_id: runId, message_id: message.message_id, agent: message.agent });
      }
    }
  }
  return { runs: ids.length, ...tally, lost, at_ms: now() };
}

/** Held by another cluster, whose own audit looks at it. */
function isElsewhere({ state, rank }: RunMessage): boolean {
  return state === "away" || (state !== "open" && rank >= rankOf.wardElsewhere(0));
}

async function isHeldByQueue(
  store: Store,
  sought: { readonly message: RunMessage; readonly agents: readonly string[] },
): Promise<boolean> {
  const { message } = sought;
  // Told to the run already, and its admission is still on its way to the ward.
  if (message.state !== "open") return isInOutbox(store, sought);
  const requeues = Math.max(0, message.rank - 1);
  const fresh = store.keys.job(message.agent, queueName(message.agent, "fresh"), message.message_id);
  const retried = store.keys.job(
    message.agent,
    queueName(message.agent, "retry"),
    `${message.message_id}.${requeues}`,
  );
  if (requeues > 0 && (await isUnfinished(store, retried))) return true;
  if (requeues === 0 && (await isUnfinished(store, fresh))) return true;
  if (await store.fanOuts.isWaiting(message.agent, message.message_id)) return true;
  return isInOutbox(store, sought);
}

async function isUnfinished(store: Store, jobKey: string): Promise<boolean> {
  const [exists, finished] = await Promise.all([
    store.redis.exists(jobKey),
    store.redis.hexists(jobKey, "finishedOn"),
  ]);
  return exists === 1 && finished === 0;
}

/**
 * On its way: committed by its sender or its handler, not yet delivered. Every sender had a message of the run before,
 * so that its agents are all there is to ask; an agent that is down at the moment is among them.
 */
async function isInOutbox(
  store: Store,
  { message, agents }: { readonly message: RunMessage; readonly agents: readonly string[] },
): Promise<boolean> {
  for (const slot of new Set(["runs", "ward", ...agents])) {
    const entries = await store.redis.hvals(store.keys.outbox(slot));
    if (entries.some((entry) => entry.includes(message.message_id))) return true;
  }
  return false;
}

/** The look-ups are not one instant: what moved on meanwhile was never lost. */
async function isStillAwaited(store: Store, runId: string, seen: RunMessage): Promise<boolean> {
  const again = (await store.runs.messages(runId)).find((message) => message.message_id === seen.message_id);
  return again !== undefined && again.state === seen.state && again.rank === seen.rank;
}
