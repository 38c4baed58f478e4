import { replaceField } from "../scripts/runs.ts";
import { StorePart } from "../store-part.ts";

/** Fields of a batch, which the ward defines. */
type StoredBatch = Readonly<Record<string, string>>;

const CHUNK = 1000;

/** Stores batches and their progress, so that they survive a restart of the console and of the surgeon. */
export class BatchStore extends StorePart {
  /** Creates a batch with its `total`. Writes its cases first, so that a visible batch is complete. */
  async create(
    batchId: string,
    fields: StoredBatch,
    pages: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
  ): Promise<void> {
    let total = 0;
    for await (const page of pages) {
      total += page.length;
      for (let from = 0; from < page.length; from += CHUNK)
        await this.redis.rpush(this.casesKey(batchId), ...page.slice(from, from + CHUNK));
    }
    await this.redis.hset(this.key(batchId), { ...fields, total: String(total) });
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

  /** Moves a batch from one state to another: of a person's stop and a surgeon's step the first wins. */
  async move(
    batchId: string,
    { from, to, atMs }: { readonly from: string; readonly to: string; readonly atMs: number },
  ): Promise<boolean> {
    const sets = { state: to, changed_ms: atMs };
    return replaceField.run(this.redis, { hash: this.key(batchId), field: "state", seen: from, sets });
  }

  /** Acquires or renews the batch leader's lease for `lifeMs`. One leader keeps the rate limit of batches exact. */
  async lead(surgeon: string, lifeMs: number): Promise<boolean> {
    const key = this.keys.ward("batch-leader");
    if ((await this.redis.set(key, surgeon, "PX", lifeMs, "NX")) === "OK") return true;
    if ((await this.redis.get(key)) !== surgeon) return false;
    await this.redis.pexpire(key, lifeMs);
    return true;
  }

  /** Notes that these cases would pass. */
  async pass(batchId: string, ids: readonly string[]): Promise<void> {
    await this.redis.rpush(this.passingKey(batchId), ...ids);
  }

  /** Puts those before the others, at once. Idempotent. */
  async putPassingFirst(batchId: string): Promise<void> {
    const [ids, passing] = await Promise.all(
      [this.casesKey(batchId), this.passingKey(batchId)].map((key) => this.redis.lrange(key, 0, -1)),
    );
    const first = new Set(passing);
    if (ids === undefined || first.size === 0) return;
    const ordered = [...first, ...ids.filter((id) => !first.has(id))];
    const change = this.redis.multi().del(this.casesKey(batchId));
    for (let from = 0; from < ordered.length; from += CHUNK)
      change.rpush(this.casesKey(batchId), ...ordered.slice(from, from + CHUNK));
    await change.exec();
  }

  async forget(batchId: string): Promise<void> {
    await this.redis.del(this.key(batchId), this.casesKey(batchId), this.passingKey(batchId));
    await this.redis.srem(this.keys.ward("batches"), batchId);
  }

  private key(batchId: string): string {
    return this.keys.ward(`batch:${batchId}`);
  }

  private passingKey(batchId: string): string {
    return `${this.casesKey(batchId)}:passing`;
  }

  private casesKey(batchId: string): string {
    return this.keys.ward(`batch:${batchId}:cases`);
  }
}
