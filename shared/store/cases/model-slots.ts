import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { WARD_QUEUE } from "../keys.ts";
import { wakeParked, freeModelSlot, parkJob, takeModelSlot } from "../scripts/groups.ts";
import type { RedisClient } from "../script.ts";
import type { CaseFence } from "./case-record.ts";

/**
 * How long a group is remembered to give no recipes after its last slot, in ms. Then one is asked for alone again.
 */
const SLOTS_LIFE_MS = 3_600_000;

/** Jobs called in one script at most: a script holds up everybody else. */
const CALLED_AT_ONCE_MAX = 500;

/** Longest reason for a rest that is kept, in characters. */
const WHY_CHARS_MAX = 500;

/** What a slot came to: a recipe for all, none, or nothing at all before `untilMs`. */
export type SlotEnd =
  | { readonly kind: "recipe" }
  | { readonly kind: "barren" }
  | { readonly kind: "rest"; readonly untilMs: number; readonly why: string };

/** What the cases of a group wait for together. */
export interface GroupRest {
  /** Until then no model is asked for it; null while one may be. */
  readonly until_ms: number | null;
  /** Why; "" while one may be asked. */
  readonly why: string;
  /** Cases whose jobs are put aside until somebody has asked for all. */
  readonly waiting: number;
}

/** Who may be called: everybody, since a recipe is there, or as many as may ask at once where there is none. */
export type Called = "all" | { readonly slotsAtOnce: number };

/**
 * One model call for a whole group: who has a model asked holds the group's slot, and the other cases' jobs are put
 * aside until it is over. A slot belongs to its job and ends with it, so nothing has to be renewed: after a surgeon's
 * death the next delivery of that job continues with what was answered and kept. Jobs put aside lie among the engine's
 * delayed ones, so that none can be lost with whoever should have called it.
 */
export class ModelSlots {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  /** Base of the keys of the surgeon's queue. */
  get base(): string {
    return this.keys.job(WARD_QUEUE, WARD_QUEUE, "");
  }

  /** @param slotsAtOnce - How many may be held where the last repair of the group gave no recipe; else one. */
  async take(fingerprint: string, fence: CaseFence, slotsAtOnce: number): Promise<"yours" | "busy" | "lost"> {
    const { jobId, token } = fence;
    return takeModelSlot.run(this.redis, {
      slots: this.slotsKey(fingerprint),
      lock: this.keys.lock(WARD_QUEUE, WARD_QUEUE, jobId),
      queueBase: this.base,
      nowMs: now(),
      jobId,
      token,
      slotsAtOnce,
      lifeMs: SLOTS_LIFE_MS,
    });
  }

  /** Gives a slot back; who waits has still to be called. */
  async end(fingerprint: string, fence: CaseFence, ended: SlotEnd): Promise<void> {
    await freeModelSlot.run(this.redis, {
      slots: this.slotsKey(fingerprint),
      queueBase: this.base,
      nowMs: now(),
      jobId: fence.jobId,
      token: fence.token,
      outcome: ended.kind,
      restsUntilMs: ended.kind === "rest" ? Math.ceil(ended.untilMs) : 0,
      lifeMs: SLOTS_LIFE_MS,
      why: ended.kind === "rest" ? ended.why.slice(0, WHY_CHARS_MAX) : "",
    });
  }

  /**
   * Puts a job aside until it is called, `waitMs` at most.
   *
   * @returns `free`: nobody holds the slot any more, and nobody would call it. `lost`: the job is another surgeon's.
   */
  async park(fingerprint: string, fence: CaseFence, waitMs: number): Promise<"parked" | "free" | "lost"> {
    return parkJob.run(this.redis, {
      ...this.waitingCall(fingerprint),
      jobId: fence.jobId,
      token: fence.token,
      waitMs,
    });
  }

  /** Calls jobs that were put aside. @returns how many. */
  async call(fingerprint: string, called: Called): Promise<number> {
    let sum = 0;
    for (;;) {
      const reply = await wakeParked.run(this.redis, {
        ...this.waitingCall(fingerprint),
        slotsAtOnce: called === "all" ? null : called.slotsAtOnce,
        calledMax: CALLED_AT_ONCE_MAX,
      });
      sum += reply.called;
      if (called !== "all" || reply.left === 0 || reply.called === 0) return sum;
    }
  }

  /** What scripts about waiting jobs read. */
  private waitingCall(fingerprint: string) {
    return {
      slots: this.slotsKey(fingerprint),
      waiting: this.waitingKey(fingerprint),
      waitingGroups: this.keys.ward("waiting"),
      queueBase: this.base,
      nowMs: now(),
      fingerprint,
    };
  }

  /** What the group waits for now, for people. */
  async rest(fingerprint: string): Promise<GroupRest> {
    const [[untilMs, why], waiting] = await Promise.all([
      this.redis.hmget(this.slotsKey(fingerprint), "rest_ms", "rest_why"),
      this.redis.zcard(this.waitingKey(fingerprint)),
    ]);
    const isResting = Number(untilMs ?? 0) > now();
    return { until_ms: isResting ? Number(untilMs) : null, why: isResting ? (why ?? "") : "", waiting };
  }

  /** Groups for which jobs are put aside. */
  async waiting(): Promise<string[]> {
    return this.redis.smembers(this.keys.ward("waiting"));
  }

  private slotsKey(fingerprint: string): string {
    return this.keys.ward(`slots:${fingerprint}`);
  }

  private waitingKey(fingerprint: string): string {
    return this.keys.ward(`waiting:${fingerprint}`);
  }
}
