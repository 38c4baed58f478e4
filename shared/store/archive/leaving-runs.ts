import { TENANT_DEFAULT } from "#shared/config";
import type { KeptRun } from "./archive-reader.ts";
import { redisNow } from "../clock-skew.ts";
import { indexName } from "../cases/case-record.ts";
import { leaveRun } from "../scripts/runs.ts";
import { isRedisReply } from "../script.ts";
import { StorePart } from "../store-part.ts";
import { WEBHOOK_FIELD } from "../runs/gateway-fields.ts";
import { ENDED_STATUSES } from "../runs/run-record.ts";
import type { RunStatus } from "../runs/run-record.ts";

/** Index entries looked at together. */
const PAGE = 200;
/** Pages looked at for one batch. */
const PAGES_MAX = 10;
/** Log entries that are read together, which bounds the memory of a batch. */
const LOG_ENTRIES_MAX = 20_000;

/** Fields that stay behind: a secret, and the accounts that an open run uses. */
const LEFT_OUT = [WEBHOOK_FIELD, "accounts"];

/**
 * Ended runs of one shard on their way to the archive, oldest first. A run leaves once it has been over for a while,
 * its webhook was called, and the ward has no case of it: a case that is restored continues its run.
 */
export class LeavingRuns extends StorePart {
  private readonly passedOver = new Map<RunStatus, number>();
  private heldMs = 0;

  /** Reads up to `limit` runs that ended more than `afterMs` ago. Empty: none is left. */
  async next(afterMs: number, limit: number): Promise<KeptRun[]> {
    const endedBefore = (await redisNow(this.redis)) - afterMs;
    const found: KeptRun[] = [];
    for (const status of ENDED_STATUSES)
      if (found.length < limit) found.push(...(await this.nextIn(status, endedBefore, limit - found.length)));
    return found;
  }

  private async nextIn(status: RunStatus, endedBefore: number, limit: number): Promise<KeptRun[]> {
    const want = Math.min(PAGE, limit);
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const from = this.passedOver.get(status) ?? 0;
      const index = this.keys.runs(`index:${status}`);
      const ids = await this.redis.zrangebyscore(index, "-inf", endedBefore, "LIMIT", from, want);
      const ready = await this.readyOf(ids, endedBefore);
      this.passedOver.set(status, ids.length < want ? 0 : from + ids.length - ready.length);
      if (ready.length > 0) return this.readSome(ready);
      if (ids.length < want) break;
    }
    return [];
  }

  /** Reads the first ones, as many as have no more log entries together than may be read at once. */
  private async readSome(ready: readonly { readonly runId: string; readonly length: number }[]) {
    const some: Promise<KeptRun | null>[] = [];
    let entries = 0;
    for (const { runId, length } of ready) {
      entries += length;
      if (some.length > 0 && entries > LOG_ENTRIES_MAX) break;
      some.push(this.read(runId));
    }
    return (await Promise.all(some)).filter((run) => run !== null);
  }

  private async readyOf(ids: readonly string[], endedBefore: number) {
    // A record of another type stays for a person, and holds up no other.
    const unlessDamaged = (error: unknown): null => {
      if (isRedisReply(error)) return null;
      throw error;
    };
    const looked = await Promise.all(
      ids.map(async (runId) => {
        const run = this.keys.run(runId);
        const [endedMs, cases, dueMs, length] = await Promise.all([
          this.redis.hget(run, "ended_ms").catch(unlessDamaged),
          this.redis.zcard(this.keys.ward(indexName({ kind: "run", runId }))),
          this.redis.zscore(this.keys.webhooks(), runId),
          this.redis.llen(`${run}:log`),
        ]);
        const isReady = endedMs !== null && Number(endedMs) <= endedBefore && cases === 0 && dueMs === null;
        return isReady ? { runId, length } : null;
      }),
    );
    return looked.filter((one) => one !== null);
  }

  private async read(runId: string): Promise<KeptRun | null> {
    const run = this.keys.run(runId);
    // The record is read last: while it is there, the others were complete.
    const [messages, log, { ...fields }] = await Promise.all([
      this.redis.hgetall(`${run}:messages`),
      this.redis.lrange(`${run}:log`, 0, -1),
      this.redis.hgetall(run),
    ]);
    if (fields["ended_ms"] === undefined) return null;
    for (const name of LEFT_OUT) Reflect.deleteProperty(fields, name);
    return { run_id: runId, fields, messages, log };
  }

  /** Deletes runs that the archive has, unless they have changed since they were read. @returns The number deleted. */
  async leave(runs: readonly KeptRun[]): Promise<number> {
    const left = await Promise.all(
      runs.map(({ run_id: runId, fields, messages }) =>
        leaveRun.run(this.redis, {
          run: this.keys.run(runId),
          messages: `${this.keys.run(runId)}:messages`,
          log: `${this.keys.run(runId)}:log`,
          runIndex: this.keys.runs("index"),
          statusIndex: this.keys.runs(`index:${fields["status"] ?? ""}`),
          ownerIndex: this.keys.runsOf(fields["tenant"] ?? TENANT_DEFAULT),
          runId,
          endedMs: Number(fields["ended_ms"]),
          marks: Object.keys(messages).length,
        }),
      ),
    );
    return left.filter(Boolean).length;
  }

  /**
   * Renews the life of ended runs that are still here after half their retention, so that none expires before the
   * archive has it. Looks once in an eighth of the retention.
   */
  async hold(): Promise<void> {
    const { retentionMs } = this.store.options;
    const nowMs = await redisNow(this.redis);
    if (nowMs - this.heldMs < retentionMs / 8) return;
    for (const status of ENDED_STATUSES) {
      const index = this.keys.runs(`index:${status}`);
      for (let from = 0; ; from += PAGE) {
        const ids = await this.redis.zrangebyscore(
          index,
          "-inf",
          nowMs - retentionMs / 2,
          "LIMIT",
          from,
          PAGE,
        );
        const keys = ids.flatMap((id) => ["", ":messages", ":log"].map((part) => this.keys.run(id) + part));
        await Promise.all(keys.map((key) => this.redis.pexpire(key, retentionMs)));
        if (ids.length < PAGE) break;
      }
    }
    this.heldMs = nowMs;
  }

  /** Returns the number of ended runs that began more than `afterMs` ago and are still in Redis. */
  async waiting(afterMs: number): Promise<number> {
    const until = (await redisNow(this.redis)) - afterMs;
    const counts = await Promise.all(
      ENDED_STATUSES.map((status) => this.redis.zcount(this.keys.runs(`index:${status}`), "-inf", until)),
    );
    return counts.reduce((total, one) => total + one, 0);
  }
}
