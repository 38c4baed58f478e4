import { followSignals } from "#shared/clock";
import type { DeliveredJob, Disposal } from "#shared/store/queues";
import { markCarriedOut } from "#shared/ward/decisions";
import type { Surgery } from "../surgery.ts";
import { CaseReport } from "./case-report.ts";
import { discard, quarantine } from "./end-case.ts";
import type { LeasedCase } from "./leased-case.ts";
import type { CaseForSurgery } from "#shared/store/cases";
import { toWardCase } from "#shared/ward";
import { carryOut } from "../decisions/carry-out.ts";
import { waitForModelSlot } from "../propose/model-slots.ts";
import { SURGEON_ID } from "#shared/envelope";
import { repairCase } from "./repair-case.ts";

/**
 * Processes one job of the ward's queue: takes its case as far as it can go now. Every outcome is one script, fenced by
 * the job's lock, so a crash anywhere repeats or loses nothing.
 */
export async function handleCaseJob(surgery: Surgery, job: DeliveredJob): Promise<Disposal> {
  const caseId = job.data["case_id"];
  if (typeof caseId !== "string") return "done";
  const look = await surgery.store.cases.readForSurgery(caseId);
  const { stored } = look;
  // A case that names another job, or none, is processed already.
  if (stored === null || stored.fields["job_id"] !== job.jobId) return "done";
  surgery.recipeCache.noteVersion(look.recipesVersion);
  const { signal, letGo } = followSignals([job.signal, surgery.stopping]);
  const report = new CaseReport();
  const fence = { jobId: job.jobId, token: job.token, ticket: job.ticket };
  const leased: LeasedCase = { surgery, stored, fence, report, signal };
  try {
    return await report.run(surgery, stored, async () => {
      const disposal = await routeCase(leased, { ...look, stalls: job.stalls });
      // A decision counts once, also across redeliveries.
      if (report.settledDecision !== null) await markCarriedOut(surgery.store, report.settledDecision);
      return disposal;
    });
  } catch (error) {
    // Returns the job; the store refuses if its lock is another surgeon's by now.
    if (signal.aborted) return "return";
    if (isEngineError(error)) return quarantineAfterBug(leased, error);
    throw error;
  } finally {
    letGo();
  }
}

/**
 * Returns true for engine errors (TypeError, RangeError …), which indicate a bug in this code. Redis, BullMQ and the
 * model endpoint throw none of these.
 */
function isEngineError(error: unknown): error is Error {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof SyntaxError ||
    error instanceof ReferenceError
  );
}

/** Quarantines a case on which this code failed: every redelivery would fail again and hold up other cases. */
async function quarantineAfterBug(leased: LeasedCase, error: Error): Promise<Disposal> {
  const { surgery, stored } = leased;
  const { case_id, fields } = stored;
  surgery.logger.error({ err: error, case_id }, "the surgeon's own code failed over a case");
  const present = await surgery.store.cases.find(case_id);
  // This job may have claimed the case, which changed its version.
  if (present === null || present.fields["job_id"] !== fields["job_id"]) return "done";
  const diagnosis = `The surgeon's own code failed over it (${error.name}); its message is as it came.`;
  return quarantine({ ...leased, stored: present }, diagnosis);
}

/**
 * Decides what a case needs now and does it: discard it with its cancelled run, quarantine it after too many crashes,
 * carry out a person's decision, wait for its group's model call, or repair it.
 */
async function routeCase(
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
