import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { setPushTarget, settlePush, takeDuePushes } from "../scripts/push-targets.ts";
import type { RedisClient } from "../script.ts";

/** Before the names of a run's fields that hold targets. */
export const PUSH_PREFIX = "push:";
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

  /**
   * Writes a target.
   *
   * @param before - The text that it takes the place of: nothing is written where that was removed or written anew
   * since. Default: whatever is there.
   * @returns False if nothing was written: also where the run is gone, or has as many as it may.
   */
  async set(runId: string, { id, target }: PushEntry, before = ""): Promise<boolean> {
    return setPushTarget.run(this.redis, {
      run: this.keys.run(runId),
      field: PUSH_PREFIX + id,
      prefix: PUSH_PREFIX,
      target,
      before,
      targetsMax: TARGETS_MAX,
    });
  }

  /** Returns the targets of a run by id, as JSON text. */
  async list(runId: string): Promise<ReadonlyMap<string, string>> {
    const run = this.keys.run(runId);
    const fields = (await this.redis.hkeys(run)).filter((name) => name.startsWith(PUSH_PREFIX));
    if (fields.length === 0) return new Map();
    const values = await this.redis.hmget(run, ...fields);
    return new Map(
      fields.flatMap((name, at) => {
        const value = values[at];
        return typeof value === "string" ? [[name.slice(PUSH_PREFIX.length), value] as const] : [];
      }),
    );
  }

  /** Takes runs that are due. One whose lease is not ended is due again when it ends by itself, after so many ms. */
  async take(limit: number, leaseMs: number): Promise<readonly PushLease[]> {
    const nowMs = now();
    const ids = await takeDuePushes.run(this.redis, {
      due: this.keys.runs("index:push"),
      nowMs,
      leaseMs,
      limit,
    });
    return ids.map((runId) => ({ runId, leasedMs: nowMs + leaseMs }));
  }

  /** Ends a lease: the run is looked at again in so many ms; null: no more. Not where a target has come since. */
  async settle({ runId, leasedMs }: PushLease, delayMs: number | null): Promise<void> {
    const dueMs = delayMs === null ? -1 : now() + delayMs;
    await settlePush.run(this.redis, { due: this.keys.runs("index:push"), runId, leasedMs, dueMs });
  }
}

/** A target with its id, as JSON text. */
export interface PushEntry {
  readonly id: string;
  readonly target: string;
}

/** A run whose targets are one gateway's to serve until a time in ms. */
export interface PushLease {
  readonly runId: string;
  readonly leasedMs: number;
}
