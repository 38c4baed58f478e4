import { now } from "#shared/clock";
import type { Store } from "../store.ts";
import { findHolder, isElsewhere, isStillAwaited } from "./find-holder.ts";

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
 * Counts the other side of the conservation equation in one go: not what the counters say, but what is really there.
 * For each message that a run waits for, something must hold it. For tests and reports: a service looks with
 * `RunAudit`, which is bounded.
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
      const holder = await findHolder(store, { message, agents }, hasCase);
      if (holder === "queue") tally.inQueues += 1;
      else if (holder === "ward") tally.inWard += 1;
      else if (await isStillAwaited(store, runId, message)) {
        lost.push({ run_id: runId, message_id: message.message_id, agent: message.agent });
      }
    }
  }
  return { runs: ids.length, ...tally, lost, at_ms: now() };
}
