import { sleep } from "#shared/clock";
import { memoryShare } from "./memory-share.ts";
import type { Store } from "./store.ts";

/** Whether Redis is ready for work, and if not, why. */
export type StoreVerdict = "ready" | "store_unreachable" | "store_full" | "replicas_missing";

const ANSWER_WITHIN_MS = 1000;

/**
 * Checks whether Redis is ready for work. Returns within a second and never rejects.
 *
 * @param limits.memoryShareMax - Share of Redis memory, 0 to 1, from which it counts as full. Default: never.
 */
export async function judgeStore(
  store: Store,
  limits: { readonly memoryShareMax?: number } = {},
): Promise<StoreVerdict> {
  const giveUp = new AbortController();
  const late = sleep(ANSWER_WITHIN_MS, giveUp.signal).then(() => "store_unreachable" as const);
  try {
    return await Promise.race([ask(store, limits.memoryShareMax ?? Infinity), late]);
  } catch {
    return "store_unreachable";
  } finally {
    giveUp.abort();
  }
}

async function ask({ shards }: Store, memoryShareMax: number): Promise<StoreVerdict> {
  for (const { redis, confirmation } of shards) {
    if ((await memoryShare(redis)) >= memoryShareMax) return "store_full";
    if (!(await confirmation.hasReplicas())) return "replicas_missing";
  }
  return "ready";
}
