import { auditKey, caseKey } from "../cases/read-page.ts";
import { forgetCase } from "../scripts/cases.ts";
import { StorePart } from "../store-part.ts";
import type { KeptCase } from "./archive-reader.ts";

/** Closed cases of one shard whose retention is over, oldest first: they are deleted, or archived and then deleted. */
export class LeavingCases extends StorePart {
  /** Reads up to `limit` cases that were closed before `beforeMs`. */
  async next(beforeMs: number, limit: number): Promise<KeptCase[]> {
    const read = await Promise.all((await this.idsOf(beforeMs, limit)).map((id) => this.read(id)));
    return read.filter((one) => one !== null);
  }

  private async read(caseId: string): Promise<KeptCase | null> {
    // The case is read last: while it is there, its audit was complete.
    const [audit, fields] = await Promise.all([
      this.redis.lrange(auditKey(this.keys, caseId), 0, -1),
      this.redis.hgetall(caseKey(this.keys, caseId)),
    ]);
    return fields["status"] === undefined ? null : { case_id: caseId, fields, audit };
  }

  /** Deletes cases, unless one was opened again or closed after `beforeMs`. @returns The number deleted. */
  async leave(ids: readonly string[], beforeMs: number): Promise<number> {
    let left = 0;
    for (const id of ids) {
      const isForgotten = await forgetCase.run(this.redis, {
        case: caseKey(this.keys, id),
        audit: auditKey(this.keys, id),
        counts: this.keys.ward("counts"),
        caseId: id,
        wardBase: this.keys.ward(""),
        closedBeforeMs: beforeMs,
      });
      if (isForgotten) left += 1;
    }
    return left;
  }

  /** Deletes cases that were closed before `beforeMs`, at most `limit`. @returns The number deleted. */
  async forget(beforeMs: number, limit: number): Promise<number> {
    return this.leave(await this.idsOf(beforeMs, limit), beforeMs);
  }

  /**
   * Reads lines of the ward's audit that were added after the line `seen`, of those that are still kept.
   * @returns The lines, newest first, and the number of the newest line that was ever added.
   */
  async auditSince(seen: number): Promise<{ readonly lines: readonly string[]; readonly newest: number }> {
    const key = this.keys.ward("audit");
    const newest = Number((await this.redis.get(`${key}-seq`)) ?? 0);
    // After a restore the numbers begin again lower: all lines are read.
    const count = newest >= seen ? newest - seen : this.store.bounds.auditLength;
    return { lines: count === 0 ? [] : await this.redis.lrange(key, 0, count - 1), newest };
  }

  private idsOf(beforeMs: number, limit: number): Promise<string[]> {
    return this.redis.zrangebyscore(this.keys.ward("index:closed"), "-inf", beforeMs, "LIMIT", 0, limit);
  }
}
