import type { Store } from "#shared/store";

/** What is written down as decided, of whatever form. */
export type WrittenDecision = Readonly<Record<string, unknown>>;

/**
 * Writes down a decision of nobody's and calls the surgeon, as whoever may write the ward's keys can.
 *
 * @param how.at - The version that the case then has. Default: the next one.
 */
export async function plantDecision(
  { redis, keys, queues }: Store,
  caseId: string,
  how: { readonly decision: WrittenDecision | string; readonly at?: number },
): Promise<void> {
  const key = keys.ward(`case:${caseId}`);
  const version = how.at ?? Number(await redis.hget(key, "version")) + 1;
  const jobId = `${caseId}.${version}.planted.${performance.now()}`;
  const decision = typeof how.decision === "string" ? how.decision : JSON.stringify(how.decision);
  await redis.hset(key, { version: String(version), decision, job_id: jobId });
  await queues.add({
    lane: "ward",
    agent: "ward",
    jobId,
    data: { case_id: caseId },
    delayMs: 0,
    priority: "normal",
  });
}

/** The decision that waits in a case, as it is written. */
export async function readDecision({ redis, keys }: Store, caseId: string): Promise<string> {
  return (await redis.hget(keys.ward(`case:${caseId}`), "decision")) ?? "";
}
