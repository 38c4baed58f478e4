import { isRecord, readJson } from "#shared/json";
import type { Store } from "#shared/store";
import type { DeliveredJob, JobData } from "#shared/store/queues";

/** Returns a retry's job id: the message id, a dot and the number of the requeue. */
export function retryJobId(messageId: string, requeues: number): string {
  return `${messageId}.${requeues}`;
}

/** Returns the message id of a job id of either queue. */
export function messageIdOf(jobId: string): string {
  const dot = jobId.indexOf(".");
  return dot === -1 ? jobId : jobId.slice(0, dot);
}

/** Returns the number of the requeue that a job id names; 0 for a message's first job. */
function requeuesOf(jobId: string): number {
  const dot = jobId.indexOf(".");
  const requeues = dot === -1 ? 0 : Number(jobId.slice(dot + 1));
  return Number.isSafeInteger(requeues) && requeues > 0 ? requeues : 0;
}

/** Returns true for a job whose stored data was deleted: BullMQ delivers it empty. */
export function isGone(job: Pick<DeliveredJob, "data">): boolean {
  return Object.keys(job.data).length === 0;
}

/** Recovers a deleted retry job from the delivery before, of the same bytes; null for none. Verify its seal. */
export async function recoverData(
  store: Store,
  { agent, jobId }: { readonly agent: string; readonly jobId: string },
): Promise<{ readonly data: JobData; readonly attempt: number } | null> {
  const requeues = requeuesOf(jobId);
  if (requeues === 0) return null;
  const messageId = messageIdOf(jobId);
  const before = [
    ...(requeues > 1 ? [{ lane: "retry" as const, id: retryJobId(messageId, requeues - 1) }] : []),
    { lane: "fresh" as const, id: messageId },
  ];
  for (const { lane, id } of before) {
    const text = await store.redis.hget(store.queues.keyOf({ agent, lane, jobId: id }), "data");
    const data = readJson(text ?? "");
    if (!isRecord(data) || !("sealed" in data)) continue;
    const attempt = typeof data["attempt"] === "number" ? data["attempt"] : 0;
    // The delivery before is assumed to have been counted.
    return { data, attempt: attempt + 1 };
  }
  return null;
}
