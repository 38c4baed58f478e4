import { now } from "#shared/clock";
import type { Store } from "../store.ts";
import { findHolder, isStillAwaited } from "./find-holder.ts";

/** Result of an independent check of queues, the inbox and cases against the runs that have not ended. */
export interface Audit {
  /** Number of runs checked. */
  readonly runs: number;
  /** Open messages found in a queue. */
  readonly inQueues: number;
  readonly inWard: number;
  /** Open messages that nothing holds. Empty if the guarantee is kept. */
  readonly lost: readonly { readonly run_id: string; readonly message_id: string; readonly agent: string }[];
  readonly at_ms: number;
}

const RUNS_MAX = 10_000;

/**
 * Checks the other side of the conservation equation: not the counters, but what is really stored. For each message
 * that a run waits for, something must hold it. For tests and reports; services use `RunAudit`, which is bounded.
 * @param hasCase - Returns true if the ward holds a case for this message.
 */
export async function auditRuns(
  { shards }: Store,
  hasCase: (messageId: string) => Promise<boolean>,
): Promise<Audit> {
  const audits = await Promise.all(shards.map((shard) => auditShard(shard, hasCase)));
  const total = (read: (audit: Audit) => number): number => audits.reduce((sum, one) => sum + read(one), 0);
  return {
    runs: total(({ runs }) => runs),
    inQueues: total(({ inQueues }) => inQueues),
    inWard: total(({ inWard }) => inWard),
    lost: audits.flatMap(({ lost }) => lost),
    at_ms: now(),
  };
}

async function auditShard(store: Store, hasCase: (messageId: string) => Promise<boolean>): Promise<Audit> {
  const statuses = ["queued", "running", "in_ward", "quarantined"] as const;
  const ids = (await Promise.all(statuses.map((status) => store.runs.idsIn(status, RUNS_MAX)))).flat();
  const tally = { inQueues: 0, inWard: 0 };
  const lost: { run_id: string; message_id: string; agent: string }[] = [];
  for (const runId of new Set(ids)) {
    const messages = await store.runs.messages(runId);
    const agents = messages.map(({ agent }) => agent);
    for (const message of messages) {
      if (message.state === "closed") continue;
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
