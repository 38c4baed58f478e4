import type { Keys } from "../keys.ts";
import { moveBatch } from "../scripts/cases.ts";
import type { RedisClient } from "../script.ts";

/**
 * A piece of work on many cases. Its fields are the ward's; `state` is what everybody watches. Kept for the retention
 * after its last change.
 */
export type StoredBatch = Readonly<Record<string, string>>;

/** Cases that one batch may take in. */
export const BATCH_CASES_MAX = 10_000;

const CHUNK = 1000;

/** Progress of work on whole groups: it outlives the page that started it and the surgeon that does it. */
export class BatchStore {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  /** Writes the cases first, so that a batch that can be seen is complete. */
  async create(batchId: string, fields: StoredBatch, caseIds: readonly string[]): Promise<void> {
    for (let from = 0; from < caseIds.length; from += CHUNK) {
      await this.redis.rpush(this.casesKey(batchId), ...caseIds.slice(from, from + CHUNK));
    }
    await this.redis.hset(this.key(batchId), fields);
    await this.redis.sadd(this.keys.ward("batches"), batchId);
  }

  async find(batchId: string): Promise<StoredBatch | null> {
    const fields = await this.redis.hgetall(this.key(batchId));
    return fields["state"] === undefined ? null : fields;
  }

  async ids(): Promise<string[]> {
    return this.redis.smembers(this.keys.ward("batches"));
  }

  async cases(batchId: string, range: { from: number; limit: number }): Promise<string[]> {
    return this.redis.lrange(this.casesKey(batchId), range.from, range.from + range.limit - 1);
  }

  async set(batchId: string, fields: StoredBatch): Promise<void> {
    await this.redis.hset(this.key(batchId), fields);
  }

  /**
   * Brings a batch from one state to the next, unless somebody was faster.
   *
   * @returns whether it did.
   */
  async move(
    batchId: string,
    change: { readonly from: string; readonly to: string; readonly atMs: number },
  ): Promise<boolean> {
    return moveBatch.run(this.redis, { batch: this.key(batchId), ...change });
  }

  /** Leads the batches of the ward for `lifeMs`: two surgeons would double the rate. */
  async lead(surgeon: string, lifeMs: number): Promise<boolean> {
    const key = this.keys.ward("batch-leader");
    if ((await this.redis.set(key, surgeon, "PX", lifeMs, "NX")) === "OK") return true;
    if ((await this.redis.get(key)) !== surgeon) return false;
    await this.redis.pexpire(key, lifeMs);
    return true;
  }

  async forget(batchId: string): Promise<void> {
    await this.redis.del(this.key(batchId), this.casesKey(batchId));
    await this.redis.srem(this.keys.ward("batches"), batchId);
  }

  private key(batchId: string): string {
    return this.keys.ward(`batch:${batchId}`);
  }

  private casesKey(batchId: string): string {
    return this.keys.ward(`batch:${batchId}:cases`);
  }
}
