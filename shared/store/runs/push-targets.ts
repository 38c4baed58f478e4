import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { setPushTarget, takeDuePushes } from "../scripts/push-targets.ts";
import type { RedisClient } from "../script.ts";

const PREFIX = "push:";
/** Maximum targets of one run. */
const TARGETS_MAX = 10;

/**
 * Addresses that are told how runs go on, in the runs' own records, and the queue of the runs that have any; shared by
 * all gateways.
 */
export class PushTargets {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  /** Writes a target. @param target - JSON text. @returns False if the run is gone, or has as many as it may. */
  async set(runId: string, id: string, target: string): Promise<boolean> {
    return setPushTarget.run(this.redis, {
      run: this.keys.run(runId),
      field: PREFIX + id,
      prefix: PREFIX,
      target,
      targetsMax: TARGETS_MAX,
    });
  }

  /** Returns the targets of a run by id, as JSON text. */
  async list(runId: string): Promise<ReadonlyMap<string, string>> {
    const run = this.keys.run(runId);
    const fields = (await this.redis.hkeys(run)).filter((name) => name.startsWith(PREFIX));
    if (fields.length === 0) return new Map();
    const values = await this.redis.hmget(run, ...fields);
    return new Map(
      fields.flatMap((name, at) => {
        const value = values[at];
        return typeof value === "string" ? [[name.slice(PREFIX.length), value] as const] : [];
      }),
    );
  }

  async remove(runId: string, id: string): Promise<void> {
    await this.redis.hdel(this.keys.run(runId), PREFIX + id);
  }

  /** Has a run looked at, in so many ms. */
  async schedule(runId: string, delayMs: number): Promise<void> {
    await this.redis.zadd(this.keys.runs("index:push"), now() + delayMs, runId);
  }

  /** Takes runs that are due. One that is not scheduled anew, or dropped, is due again after the lease, in ms. */
  async take(limit: number, leaseMs: number): Promise<readonly string[]> {
    return takeDuePushes.run(this.redis, { due: this.keys.runs("index:push"), nowMs: now(), leaseMs, limit });
  }

  /** Takes a run out of the queue. */
  async drop(runId: string): Promise<void> {
    await this.redis.zrem(this.keys.runs("index:push"), runId);
  }
}
