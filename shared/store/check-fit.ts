import { CLOCK_SKEW_MS_MAX, compareClocks } from "./clock-skew.ts";
import { waitUntilReady } from "./connect.ts";
import { StoreUnfitError } from "./errors.ts";
import { mastersOf, parseInfo } from "./masters.ts";
import type { RedisClient } from "./script.ts";
import type { Store } from "./store.ts";

const READY_WITHIN_MS = 30_000;
/** Shards other than the first may be away. */
const OTHERS_WITHIN_MS = 5000;

/**
 * Refuses a Redis with an evicting master, or with a clock that differs from this machine's by more than 2 s.
 * @throws {StoreUnfitError} It is unfit; the message says why and the remedy what to do.
 * @throws {StoreUnavailableError} It does not answer within 30 s.
 */
export async function checkRedisIsFit({ shards }: Store): Promise<void> {
  const [first, ...others] = shards.map(({ redis }) => redis);
  if (first !== undefined) await waitUntilReady(first, READY_WITHIN_MS);
  await Promise.allSettled(others.map((redis) => waitUntilReady(redis, OTHERS_WITHIN_MS)));
  for (const { redis } of shards) if (redis.status === "ready") await checkOne(redis);
}

async function checkOne(redis: RedisClient): Promise<void> {
  const infos = await Promise.all(mastersOf(redis).map((node) => node.info("memory")));
  for (const info of infos) {
    const policy = parseInfo(info).get("maxmemory_policy");
    if (policy !== undefined && policy !== "noeviction") {
      throw new StoreUnfitError(
        `its maxmemory-policy is ${policy}, which evicts messages that must not be lost`,
        "Set maxmemory-policy to noeviction.",
      );
    }
  }
  const skewMs = await compareClocks(redis);
  if (Math.abs(skewMs) > CLOCK_SKEW_MS_MAX) {
    throw new StoreUnfitError(
      `its clock and this machine's differ by ${Math.round(skewMs)} ms, more than ${CLOCK_SKEW_MS_MAX}`,
      "Synchronise the clocks (NTP) and start again.",
    );
  }
}
