import { StoreUnavailableError } from "../errors.ts";
import { redisNow } from "../clock-skew.ts";
import { ENDED_STATUSES, RUN_STATUSES } from "../runs/run-record.ts";
import type { MessageState } from "../runs/run-event.ts";
import type { Store } from "../store.ts";

/** Statuses of runs that have not ended. */
export const WAITING_STATUSES = RUN_STATUSES.filter((status) => !ENDED_STATUSES.includes(status));

/** A message that a run waits for and nothing holds. An empty message id means that the run's own record is gone. */
export interface LostMessage {
  readonly run_id: string;
  readonly message_id: string;
  readonly agent: string;
  readonly state: MessageState;
  readonly rank: number;
  /** Time at which it was first missed, in ms since the epoch, by Redis time. */
  readonly since_ms: number;
  /** `relisted`: its job is back in its queue. `expired`: past its run's expiry, ended. Lost until the run moves on. */
  readonly repaired_as?: "relisted" | "expired";
}

/** Findings of the audit of runs. */
export interface AuditReport {
  /** End of the last complete pass over all waiting runs, in ms since the epoch; null before the first. */
  readonly done_ms: number | null;
  /** Messages missed for longer than the grace period, oldest first. */
  readonly lost: readonly LostMessage[];
  /** Statuses whose counter and list differ, which means that one was changed by hand. */
  readonly differs: readonly { readonly status: string; readonly counted: number; readonly listed: number }[];
  /** Totals of messages put back into their queues, and ended as expired. */
  readonly relisted: number;
  readonly expired: number;
  /** Shards whose Redis does not answer: nothing here is of them. */
  readonly shardsAway: number;
}

/** Time that a message may be missing before it counts as lost, in ms. */
export const AUDIT_GRACE_MS = 10_000;

/** Reads the audit's findings. @param graceMs - Must be the audit's own. */
export async function readAudit(store: Store, graceMs: number = AUDIT_GRACE_MS): Promise<AuditReport> {
  const { shards, awake } = store;
  const [first, ...others] = await Promise.all(awake.map((shard) => readShard(shard, graceMs)));
  if (first === undefined) throw new StoreUnavailableError("reading the audit");
  return { ...others.reduce(addUp, first), shardsAway: shards.length - awake.length };
}

/** Findings of the audit of one shard. */
type ShardAudit = Omit<AuditReport, "shardsAway">;

/** Each shard is audited by itself; a pass is as old as the oldest of them. */
function addUp(one: ShardAudit, other: ShardAudit): ShardAudit {
  const isDone = one.done_ms !== null && other.done_ms !== null;
  return {
    done_ms: isDone ? Math.min(one.done_ms ?? 0, other.done_ms ?? 0) : null,
    lost: [...one.lost, ...other.lost].toSorted((a, b) => a.since_ms - b.since_ms),
    differs: [...one.differs, ...other.differs],
    relisted: one.relisted + other.relisted,
    expired: one.expired + other.expired,
  };
}

async function readShard({ redis, keys }: Store, graceMs: number): Promise<ShardAudit> {
  const [fields, lost, nowMs] = await Promise.all([
    redis.hgetall(keys.gateway("audit")),
    redis.hvals(keys.gateway("audit:lost")),
    redisNow(redis),
  ]);
  return {
    done_ms: fields["done_ms"] === undefined ? null : Number(fields["done_ms"]),
    lost: lost
      // Written by `RunAudit`.
      .map((text) => JSON.parse(text) as LostMessage)
      .filter((one) => nowMs - one.since_ms >= graceMs)
      .toSorted((a, b) => a.since_ms - b.since_ms),
    // Written by `RunAudit` in this form.
    differs: JSON.parse(fields["differs"] ?? "[]") as AuditReport["differs"],
    relisted: Number(fields["relisted"] ?? 0),
    expired: Number(fields["expired"] ?? 0),
  };
}
