import { appendRecord } from "../scripts/people.ts";
import { StorePart } from "../store-part.ts";

/** The log of people's actions as texts, with a head that signs the last one. `shared/people` parses them. */
export class RecordList extends StorePart {
  /** Maximum records; the oldest is dropped. */
  readonly lengthMax = this.store.bounds.peopleAuditLength;

  /** Returns the head; null if the log is empty. */
  async head(): Promise<string | null> {
    return this.redis.get(this.keys.people("head"));
  }

  /**
   * Appends a record if the head is unchanged (compare-and-set).
   * @param change.from - The head that was read; null for none. @param change.head - The next one.
   * @returns False if the head has changed.
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

  /** Reads a range of records, oldest first, with the head at the same moment. */
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
    // Types of LRANGE and GET replies.
    return { records: (records ?? []) as string[], head: (head ?? null) as string | null };
  }

  /** Reads a range of records, oldest first. @param range.from - Records to skip; negative: counted from the end. */
  async read(range: { readonly from: number; readonly limit: number }): Promise<string[]> {
    const to = range.from + range.limit - 1;
    return this.redis.lrange(this.keys.people("records"), range.from, range.from < 0 && to >= 0 ? -1 : to);
  }
}

/** Standing orders of people (pauses) as texts by subject; `shared/people` parses them. */
export class OrderList extends StorePart {
  async read(): Promise<Readonly<Record<string, string>>> {
    return this.redis.hgetall(this.keys.people("orders"));
  }

  async write(about: string, order: string): Promise<void> {
    await this.redis.hset(this.keys.people("orders"), about, order);
  }
}

/** Time for which what became of a replay is kept. */
const ANSWER_MS = 3_600_000;

/** People's orders to run a recorded message again, until a gateway has carried them out, and its answers, as texts. */
export class ReplayList extends StorePart {
  async give(id: string, order: string): Promise<void> {
    await this.redis.hset(this.keys.people("replays"), id, order);
  }

  async takeBack(id: string): Promise<void> {
    await this.redis.hdel(this.keys.people("replays"), id);
  }

  async read(): Promise<Readonly<Record<string, string>>> {
    return this.redis.hgetall(this.keys.people("replays"));
  }

  /** Only a gateway answers. */
  async answer(id: string, answer: string): Promise<void> {
    await this.redis.set(this.keys.gateway(`replayed:${id}`), answer, "PX", ANSWER_MS);
  }

  async answerOf(id: string): Promise<string | null> {
    return this.redis.get(this.keys.gateway(`replayed:${id}`));
  }
}
