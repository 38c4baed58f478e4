import { crashPoint } from "#shared/crash-points";
import type { SlotEnd } from "#shared/store/cases";
import type { LeasedCase } from "../cases/case.ts";
import type { Surgery } from "../surgery.ts";

/** Tries to get a slot or a place to wait before the job goes back to its queue. */
const TRIES_MAX = 3;

/**
 * Takes one of the group's slots for model calls (`callsPerGroup`), or parks the job until a slot or a recipe is there.
 *
 * @returns `yours`: the slot is this job's. `parked`: the job waits. `lost`: the job is another's. `return`: try again.
 */
export async function takeModelSlot(leased: LeasedCase): Promise<"yours" | "parked" | "lost" | "return"> {
  const { surgery, stored, fence } = leased;
  const { modelSlots } = surgery.store.cases;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const taken = await modelSlots.take(stored.fingerprint, fence, surgery.limits.callsPerGroup);
    if (taken !== "busy") return taken;
    const parked = await modelSlots.park(stored.fingerprint, fence);
    if (parked !== "free") return parked;
  }
  return "return";
}

/** Frees the slot and wakes parked cases: all if there is a recipe now, else as many as there are slots. */
export async function endModelSlot({ surgery, stored, fence }: LeasedCase, ended: SlotEnd): Promise<void> {
  const { fingerprint } = stored;
  crashPoint("W17:after_verdict_before_turn_end");
  await surgery.store.cases.modelSlots.end(fingerprint, fence, ended);
  crashPoint("W17:after_turn_end_before_call");
  await wakeParked(surgery, fingerprint, ended.kind === "recipe");
}

/** Wakes cases parked for a slot whose holder died, or whose group's pause is over. */
export async function wakeStaleParked(surgery: Surgery): Promise<void> {
  const waiting = await surgery.store.cases.modelSlots.waiting();
  if (waiting.length > 0) await surgery.recipeCache.refresh();
  for (const fingerprint of waiting) {
    const usable = await surgery.recipeCache.of(fingerprint);
    await wakeParked(surgery, fingerprint, usable.length > 0);
  }
}

async function wakeParked({ store, limits }: Surgery, fingerprint: string, all: boolean): Promise<void> {
  await store.cases.modelSlots.call(fingerprint, all ? null : limits.callsPerGroup);
}
