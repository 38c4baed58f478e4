import { now } from "#shared/clock";
import { WARD_QUEUE } from "../keys.ts";
import { wakeParked, freeModelSlot, parkJob, takeModelSlot } from "../scripts/groups.ts";
import type { CaseFence } from "./case-record.ts";
import type { CaseGroup } from "./group-record.ts";
import { StorePart } from "../store-part.ts";

/** Life of a group without recipes after its last slot, in ms. Then it may make one call again. */
const SLOTS_LIFE_MS = 3_600_000;

/** Maximum jobs woken in one script call, because a script blocks Redis. */
const CALLED_AT_ONCE_MAX = 500;

/** The longest time a job is parked, in ms; a freed slot wakes it earlier. */
const PARKED_MS_MAX = 600_000;

/** Maximum length of a stored reason for a cooldown, in characters. */
const WHY_CHARS_MAX = 500;

/** Result of a slot: a recipe for the group, no recipe, or no call at all before `untilMs`. */
export type SlotEnd =
  | { readonly kind: "recipe" }
  | { readonly kind: "no_recipe" }
  | { readonly kind: "rest"; readonly untilMs: number; readonly why: string };

/**
 * Limits model calls to one per group. The case that calls a model holds the group's slot, and the jobs of the other
 * cases are parked until it is freed. A slot belongs to its job and ends with it, so there is no lease to renew:
 * after a surgeon's crash the next delivery of the job continues with the recorded answers. Parked jobs are delayed
 * jobs in BullMQ, so none is lost if the surgeon that should wake them dies.
 */
export class ModelSlots extends StorePart {
  /** Key base of the surgeon's queue. */
  get base(): string {
    return this.keys.job(WARD_QUEUE, "");
  }

  /** Takes a slot of the group. @param slotsAtOnce - Slots at once where the last repair gave no recipe; else one. */
  async take(fingerprint: string, fence: CaseFence, slotsAtOnce: number): Promise<"yours" | "busy" | "lost"> {
    const { jobId, token } = fence;
    return takeModelSlot.run(this.redis, {
      slots: this.slotsKey(fingerprint),
      lock: this.keys.lock(WARD_QUEUE, jobId),
      queueBase: this.base,
      nowMs: now(),
      jobId,
      token,
      slotsAtOnce,
      lifeMs: SLOTS_LIFE_MS,
    });
  }

  /** Frees a slot. Does not wake parked jobs; `call` does. */
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

  /** Parks a job for ten minutes at most. @returns `free`: no slot is taken, nothing wakes it. `lost`: not our job. */
  async park(fingerprint: string, fence: CaseFence): Promise<"parked" | "free" | "lost"> {
    return parkJob.run(this.redis, {
      ...this.waitingCall(fingerprint),
      jobId: fence.jobId,
      token: fence.token,
      waitMs: PARKED_MS_MAX,
    });
  }

  /** Wakes parked jobs. @param slotsAtOnce - As many as may call a model at once; null: all, by a recipe. */
  async call(fingerprint: string, slotsAtOnce: number | null): Promise<void> {
    for (;;) {
      const call = { ...this.waitingCall(fingerprint), slotsAtOnce, calledMax: CALLED_AT_ONCE_MAX };
      const { called, left } = await wakeParked.run(this.redis, call);
      if (slotsAtOnce !== null || left === 0 || called === 0) return;
    }
  }

  /** Keys and arguments common to the scripts about parked jobs. */
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

  /** Returns the state of a group's model calls, for display. */
  async rest(fingerprint: string): Promise<CaseGroup["rest"]> {
    const [[untilMs, why], waiting] = await Promise.all([
      this.redis.hmget(this.slotsKey(fingerprint), "rest_ms", "rest_why"),
      this.redis.zcard(this.waitingKey(fingerprint)),
    ]);
    const isResting = Number(untilMs ?? 0) > now();
    return { until_ms: isResting ? Number(untilMs) : null, why: isResting ? (why ?? "") : "", waiting };
  }

  /** Returns the groups that have parked jobs. */
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
