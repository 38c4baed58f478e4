import { SURGEON_ID } from "#shared/envelope";
import type { CaseForSurgery } from "#shared/store/cases";
import type { Disposal } from "#shared/store/queues";
import { toWardCase } from "#shared/ward";
import { carryOut } from "../decisions/carry-out.ts";
import { waitForModelSlot } from "../propose/model-slots.ts";
import { discard, quarantine } from "./end-case.ts";
import type { LeasedCase } from "./leased-case.ts";
import { repairCase } from "./repair-case.ts";

/**
 * Decides what a case needs now and does it: discard it with its cancelled run, quarantine it after too many crashes,
 * carry out a person's decision, wait for its group's model call, or repair it.
 */
export async function routeCase(
  leased: LeasedCase,
  seen: Pick<CaseForSurgery, "isCancelled" | "mustWait"> & { readonly stalls: number },
): Promise<Disposal> {
  const { surgery, stored } = leased;
  const one = toWardCase(stored);
  if (one.status !== "discarded" && seen.isCancelled)
    return discard(leased, { by: SURGEON_ID, why: "Its run was cancelled.", end: "cancelled" });
  if (seen.stalls >= surgery.limits.crashesMax)
    return quarantine(leased, `A surgeon died or stalled over it ${seen.stalls} times.`);
  // The look-up returns only the case's head while its group waits for a model.
  const whole = async (): Promise<LeasedCase | null> => {
    if (!seen.mustWait) return leased;
    const found = await surgery.store.cases.find(stored.case_id);
    return found === null ? null : { ...leased, stored: found };
  };
  if (stored.fields["decision"] !== undefined) {
    const decided = await whole();
    if (decided === null || (await carryOut(decided)) === "done") return "done";
  }
  if (one.status !== "admitted" && one.status !== "in_surgery" && one.decision === null) return "done";
  if (seen.mustWait && one.status === "admitted" && (await isParked(leased))) return "parked";
  const ready = await whole();
  return ready === null ? "done" : repairCase(ready);
}

/** Parks the case if its group has no usable recipe and waits for a model call. Reads nothing of the case. */
async function isParked(leased: LeasedCase): Promise<boolean> {
  const { surgery, stored } = leased;
  if ((await surgery.recipeCache.of(stored.fingerprint)).length > 0) return false;
  return (await waitForModelSlot(leased)) === "parked";
}
