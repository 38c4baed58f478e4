import type { Keys } from "../keys.ts";
import { appendRecord } from "../scripts/people.ts";
import type { RedisClient } from "../script.ts";
import { STORE_BOUNDS_DEFAULT } from "../store-bounds.ts";

/** The records of what people did, as texts, and what is said of the last one. `shared/people` gives them form. */
export class RecordList {
  /** Records that are kept; the oldest goes for a new one. */
  readonly lengthMax: number;
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(
    parts: { readonly redis: RedisClient; readonly keys: Keys },
    lengthMax: number = STORE_BOUNDS_DEFAULT.peopleAuditLength,
  ) {
    this.redis = parts.redis;
    this.keys = parts.keys;
    this.lengthMax = lengthMax;
  }

  /** Null where nothing was written yet. */
  async head(): Promise<string | null> {
    return this.redis.get(this.keys.people("head"));
  }

  /**
   * Appends a record, if the head still is what it was worked out from.
   *
   * @param change.from - That head; null for none. @param change.head - The next one.
   * @returns Whether it was appended.
   */
  async append(change: {
    readonly from: string | null;
    readonly record: string;
    readonly head: string;
  }): Promise<boolean> {
    return appendRecord.run(this.redis, {
      records: this.keys.people("records"),
      headKey: this.keys.people("head"),
      seenHead: change.from,
      record: change.record,
      nextHead: change.head,
      recordsMax: this.lengthMax,
    });
  }

  /** A stretch of the records, oldest first, and the head of the same moment. */
  async readWithHead(range: {
    readonly from: number;
    readonly limit: number;
  }): Promise<{ readonly records: readonly string[]; readonly head: string | null }> {
    const replies = await this.redis
      .multi()
      .lrange(this.keys.people("records"), range.from, range.from + range.limit - 1)
      .get(this.keys.people("head"))
      .exec();
    const [records, head] = (replies ?? []).map(([error, reply]) => {
      if (error !== null) throw error;
      return reply;
    });
    // As LRANGE and GET answer.
    return { records: (records ?? []) as string[], head: (head ?? null) as string | null };
  }

  /** Oldest first. @param range.from - How many to pass over; below 0: counted from the end. */
  async read(range: { readonly from: number; readonly limit: number }): Promise<string[]> {
    const to = range.from + range.limit - 1;
    return this.redis.lrange(this.keys.people("records"), range.from, range.from < 0 && to >= 0 ? -1 : to);
  }
}
