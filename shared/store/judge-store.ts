import { sleep } from "#shared/clock";
import { StoreUnavailableError } from "./errors.ts";
import { memoryShare } from "./memory-share.ts";
import type { Store } from "./store.ts";

/** Readiness of Redis for work, or the reason against it. */
export type StoreVerdict = "ready" | "store_unreachable" | "store_full" | "replicas_missing";

const ANSWER_WITHIN_MS = 1000;

/** Returns an answer that comes within a second without an error, else the other. */
async function orAfterASecond<Answer>(asked: Promise<Answer>, otherwise: Answer): Promise<Answer> {
  const giveUp = new AbortController();
  try {
    return await Promise.race([asked, sleep(ANSWER_WITHIN_MS, giveUp.signal).then(() => otherwise)]);
  } catch {
    return otherwise;
  } finally {
    giveUp.abort();
  }
}

/** Checks within a second whether Redis is ready; never rejects. @param limits.memoryShareMax - Full from it on. */
export function judgeStore(
  store: Store,
  { memoryShareMax = Infinity }: { readonly memoryShareMax?: number } = {},
): Promise<StoreVerdict> {
  return orAfterASecond(ask(store, memoryShareMax), "store_unreachable");
}

async function ask({ shards }: Store, memoryShareMax: number): Promise<StoreVerdict> {
  for (const { redis, confirmation } of shards) {
    if ((await memoryShare(redis)) >= memoryShareMax) return "store_full";
    if (!(await confirmation.hasReplicas())) return "replicas_missing";
  }
  return "ready";
}

/** Returns true where Redis answers within a second. Never throws. */
export async function canReachStore(store: Store): Promise<boolean> {
  if (store.redis.status !== "ready") return false;
  return orAfterASecond(
    store.runs.counts().then(() => true),
    false,
  );
}

/**
 * Explains an error of unknown cause to whoever answers a request: that a shard is away, or the same error. A client
 * library's error says by text only that Redis is away, so Redis itself is asked, unless it has just been waited for.
 */
export async function explainFailure(store: Store, error: unknown): Promise<unknown> {
  const isReady = store.shards.every(({ redis }) => redis.status === "ready");
  return isReady && !isTimeout(error) && (await canReachStore(store))
    ? error
    : new StoreUnavailableError("answering a request", error);
}

/** ioredis has no class for it. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Command timed out";
}
