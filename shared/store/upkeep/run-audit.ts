import { OPEN_CASE_STATUSES } from "../cases/case-record.ts";
import type { RunMessage } from "../runs/run-record.ts";
import type { Store } from "../store.ts";
import { isHeld, isStillAwaited, jobOf } from "./find-holder.ts";
import { WAITING_STATUSES } from "./read-audit.ts";
import type { LostMessage } from "./read-audit.ts";
import { redisNow } from "../clock-skew.ts";
import { derivedId, timestamp } from "#shared/clock";
import { rankOf } from "../runs/run-event.ts";
import type { RunChange } from "../runs/run-event.ts";
import { relistJob } from "../scripts/queues.ts";

export interface RunAuditOptions {
  /** Name of this process among those that audit the same Redis. */
  readonly instance: string;
  /** Approximate number of runs per round. */
  readonly runsMax: number;
  /** Grace period before a missing message counts as lost, in ms. Also the minimum age of runs checked. */
  readonly graceMs: number;
  /** Lease of the auditing process, in ms. */
  readonly leaseMs: number;
}

/** A message that a round repaired. */
export interface Repair extends LostMessage {
  readonly as: NonNullable<LostMessage["repaired_as"]>;
}

/** Stands for all messages of a run whose record is gone. */
const GONE = { message_id: "", agent: "", state: "open", rank: 0 } as const;

/** Maximum lost messages stored; further ones are found again once there is room. */
const LOST_MAX = 1000;

/** Maximum lost messages checked again in one round. */
const JUDGED_MAX = 100;

/** Concurrency of checks. */
const AT_ONCE = 25;

/** Maximum cases of one run that are scanned for a message. */
const CASES_MAX = 1000;

/**
 * Checks in bounded rounds that a queue, the inbox, a fan-out or a case holds every message that a run waits for. One
 * process does so, by a lease. A message missing twice is lost, and repaired where that is safe.
 */
export class RunAudit {
  private readonly store: Store;
  private readonly options: RunAuditOptions;
  private judged = 0;

  constructor(store: Store, options: RunAuditOptions) {
    this.store = store;
    this.options = options;
  }

  /** Checks the next runs, and those messages again that were missing before. @returns Its repairs. */
  async look(): Promise<readonly Repair[]> {
    if (!(await this.takeLease())) return [];
    const nowMs = await redisNow(this.store.redis);
    const repairs = await this.judgeLost(nowMs);
    await this.lookAtRuns(nowMs);
    await this.compareCounts();
    return repairs;
  }

  private async takeLease(): Promise<boolean> {
    const { redis } = this.store;
    const { instance, leaseMs } = this.options;
    const key = this.key("audit:lease");
    if ((await redis.set(key, instance, "PX", leaseMs, "NX")) === "OK") return true;
    if ((await redis.get(key)) !== instance) return false;
    await redis.pexpire(key, leaseMs);
    return true;
  }

  private key(name: string): string {
    return this.store.keys.gateway(name);
  }

  /** Checks the next runs of one status; after the last status a pass is complete. */
  private async lookAtRuns(nowMs: number): Promise<void> {
    const { redis } = this.store;
    const audit = this.key("audit");
    const [known, cursor = "0"] = ((await redis.hget(audit, "place")) ?? "").split("|");
    const at = Math.max(
      0,
      WAITING_STATUSES.findIndex((one) => one === known),
    );
    const status = WAITING_STATUSES[at] ?? "queued";
    const [next, flat] = await redis.zscan(
      this.store.keys.runs(`index:${status}`),
      cursor,
      "COUNT",
      this.options.runsMax,
    );
    const ids = flat.filter((_, i) => i % 2 === 0 && Number(flat[i + 1]) < nowMs - this.options.graceMs);
    await inChunks(ids, (runId) => this.lookAtRun(runId, nowMs));
    const isLast = next === "0" && at === WAITING_STATUSES.length - 1;
    const place = next === "0" ? `${WAITING_STATUSES[at + 1] ?? "queued"}|0` : `${status}|${next}`;
    await redis.hset(audit, isLast ? { place, done_ms: nowMs } : { place });
  }

  private async lookAtRun(runId: string, nowMs: number): Promise<void> {
    const messages = await this.store.runs.messages(runId);
    if (messages.length === 0 && (await this.store.redis.exists(this.store.keys.run(runId))) === 0)
      await this.remember({ run_id: runId, ...GONE, since_ms: nowMs });
    await inChunks(messages, async (message) => {
      if (!(await this.isLost(runId, message))) return;
      const { message_id, agent, state, rank } = message;
      await this.remember({ run_id: runId, message_id, agent, state, rank, since_ms: nowMs });
    });
  }

  private async isLost(runId: string, message: RunMessage): Promise<boolean> {
    if (message.state === "closed") return false;
    const hasCase = (messageId: string): Promise<boolean> => this.hasCase(runId, messageId);
    return (
      !(await isHeld(this.store, message, hasCase)) && (await isStillAwaited(this.store, runId, message))
    );
  }

  private async hasCase(runId: string, messageId: string): Promise<boolean> {
    const { cases } = this.store;
    const ids = await cases.idsOf({ kind: "run", runId }, { from: 0, limit: CASES_MAX });
    const found = await Promise.all(ids.map((id) => cases.findHead(id)));
    return found.some(
      (one) =>
        one !== null && OPEN_CASE_STATUSES.includes(one.status) && one.fields["message_id"] === messageId,
    );
  }

  private async remember(lost: LostMessage): Promise<void> {
    const { redis } = this.store;
    const key = this.key("audit:lost");
    if ((await redis.hlen(key)) >= LOST_MAX) return;
    await redis.hsetnx(key, lost.message_id === "" ? lost.run_id : lost.message_id, JSON.stringify(lost));
  }

  /** Drops messages that were found or have moved on, and repairs those lost for longer than the grace period. */
  private async judgeLost(nowMs: number): Promise<readonly Repair[]> {
    const { redis } = this.store;
    const key = this.key("audit:lost");
    const all = Object.entries(await redis.hgetall(key));
    if (all.length <= this.judged) this.judged = 0;
    const some = all.slice(this.judged, this.judged + JUDGED_MAX);
    this.judged += some.length;
    const repairs: Repair[] = [];
    await inChunks(some, async ([field, text]) => {
      // Written by `remember` and below as a LostMessage.
      const lost = JSON.parse(text) as LostMessage;
      const verdict = await this.judge(lost, nowMs);
      if (verdict === "found") await redis.hdel(key, field);
      if (verdict === "found" || verdict === "lost") return;
      repairs.push({ ...lost, as: verdict });
      await redis.hset(key, field, JSON.stringify({ ...lost, repaired_as: verdict }));
      await redis.hincrby(this.key("audit"), verdict, 1);
    });
    return repairs;
  }

  private async judge(lost: LostMessage, nowMs: number): Promise<"found" | "lost" | Repair["as"]> {
    const { store, options } = this;
    const message = await this.findAwaited(lost);
    if (message === null) return "found";
    if (message.message_id === "") return "lost";
    // Not checked yet since it was put back into its queue.
    if (lost.repaired_as === undefined && !(await this.isLost(lost.run_id, message))) return "found";
    if (nowMs - lost.since_ms < options.graceMs) return "lost";
    return (await repairLost(store, { lost, message, nowMs, graceMs: options.graceMs })) ?? "lost";
  }

  /** Returns the message as its run has it now; null if the run no longer waits for it in this way. */
  private async findAwaited(lost: LostMessage): Promise<RunMessage | null> {
    const { run_id, message_id, agent, state, rank } = lost;
    const seen: RunMessage = { message_id, agent, state, rank, branch: null };
    if (message_id === "") {
      const isGone = (await this.store.redis.exists(this.store.keys.run(run_id))) === 0;
      return isGone ? seen : null;
    }
    const found = (await this.store.runs.messages(run_id)).find((one) => one.message_id === message_id);
    return found?.state === state && found.rank === rank ? found : null;
  }

  /** Both are written by the same scripts and read in one transaction, so a difference was made by hand. */
  private async compareCounts(): Promise<void> {
    const { redis } = this.store;
    const transaction = redis.multi().hmget(this.store.keys.runs("counts"), ...WAITING_STATUSES);
    for (const status of WAITING_STATUSES) transaction.zcard(this.store.keys.runs(`index:${status}`));
    const [counted, ...listed] = ((await transaction.exec()) ?? []).map(([, value]) => value);
    const counts = Array.isArray(counted) ? counted.map(Number) : [];
    const differs = WAITING_STATUSES.flatMap((status, i) => {
      const [count, length] = [counts[i] ?? 0, Number(listed[i] ?? 0)];
      return count === length ? [] : [{ status, counted: count, listed: length }];
    });
    await redis.hset(this.key("audit"), "differs", JSON.stringify(differs));
  }
}

async function inChunks<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < items.length; from += AT_ONCE)
    await Promise.all(items.slice(from, from + AT_ONCE).map(work));
}

/** Written by `relist-job.lua` for a job whose hash was deleted. */
const EMPTY = "{}";

/**
 * Repairs a lost message. An open one gets its job back under the same id, with its bytes if stored, else empty: its
 * agent uses the delivery's, or opens a case. One past its run's expiry ends. @returns The repair; null for none.
 */
async function repairLost(
  store: Store,
  found: {
    readonly lost: LostMessage;
    readonly message: RunMessage;
    readonly nowMs: number;
    readonly graceMs: number;
  },
): Promise<LostMessage["repaired_as"] | null> {
  const { lost, message, nowMs, graceMs } = found;
  const expiresMs = Number((await store.redis.hget(store.keys.run(lost.run_id), "expires_ms")) ?? Infinity);
  const isRelisted = lost.repaired_as === "relisted";
  if (nowMs > expiresMs + store.restores.extensionMs(lost.run_id) + graceMs) {
    if (isRelisted && !(await removeEmpty(store, message))) return null;
    await store.journal.apply([endedChange(lost, message)]);
    return "expired";
  }
  return lost.state === "open" && !isRelisted && (await relist(store, message, nowMs)) ? "relisted" : null;
}

async function relist({ redis, queues }: Store, message: RunMessage, nowMs: number): Promise<boolean> {
  const job = jobOf(message);
  const key = queues.keyOf(job);
  const base = key.slice(0, -job.jobId.length);
  return relistJob.run(redis, {
    job: key,
    lock: `${key}:lock`,
    wait: `${base}wait`,
    active: `${base}active`,
    paused: `${base}paused`,
    delayed: `${base}delayed`,
    prioritized: `${base}prioritized`,
    failed: `${base}failed`,
    marker: `${base}marker`,
    jobId: job.jobId,
    nowMs,
  });
}

/** Removes the empty job of a message that ends. @returns False if a worker holds it, or it has its bytes. */
async function removeEmpty({ redis, queues }: Store, message: RunMessage): Promise<boolean> {
  const job = jobOf(message);
  if ((await redis.hget(queues.keyOf(job), "data")) !== EMPTY) return false;
  return (await queues.of(job.agent, job.lane).remove(job.jobId)) === 1;
}

function endedChange({ run_id, message_id, agent }: LostMessage, { branch }: RunMessage): RunChange {
  const code = "MESSAGE_GONE";
  const message = `Nothing held message ${message_id} any more when its run expired.`;
  return {
    event: {
      id: derivedId(message_id, "gone"),
      run_id,
      type: "ended",
      at: timestamp(),
      message_id,
      agent,
      detail: { end: "expired", class: "expired", code, reason: message },
    },
    moves: { state: "closed", rank: rankOf.closed() },
    // The end of a branch is not the end of its run: its join decides that.
    ...(branch === null ? { end: "expired", error: { class: "expired", code, message } } : { branch }),
  };
}
