import { followSignals, now } from "#shared/clock";
import { SURGEON_ID } from "#shared/envelope";
import { PAYLOAD_FAILURES, SutureError } from "#shared/errors";
import type { CaseForSurgery } from "#shared/store/cases";
import type { DeliveredJob, Disposal } from "#shared/store/queues";
import { lastOperation, toWardCase } from "#shared/ward";
import type { OpenedDeadMessage } from "#shared/ward";
import { claimCase, healingRecipe } from "#shared/ward/moves";
import { carryOut } from "../decisions/carry-out.ts";
import { writeCauseNote } from "../propose/model/cause-note.ts";
import { runLadder } from "../propose/run-ladder.ts";
import { countReturned } from "../recipes/judge-trial.ts";
import { producerOf } from "../recipes/recipe-cache.ts";
import { reroute, resend } from "./send-on.ts";
import type { Surgery } from "../surgery.ts";
import { CaseReport } from "./case-report.ts";
import {
  discard,
  quarantine,
  findUnknown,
  openMessage,
  repairContextOf,
  mayUpdateRun,
  postpone,
} from "./case.ts";
import { triage } from "../propose/free-procedures.ts";
import type { LeasedCase, RepairContext } from "./case.ts";

/** Takes the case of one job as far as it goes now. Each outcome is one script, fenced by the job's lock. */
export async function handleCaseJob(surgery: Surgery, job: DeliveredJob): Promise<Disposal> {
  const { case_id: caseId, cause_of: group } = job.data;
  if (typeof group === "string") return writeCauseNote(surgery, group, job.signal);
  if (typeof caseId !== "string") return "done";
  const read = await surgery.store.cases.readForSurgery(caseId);
  const { stored } = read;
  // A case that names another job, or none, is processed already.
  if (stored === null || stored.fields["job_id"] !== job.jobId) return "done";
  surgery.recipeCache.noteVersion(read.recipesVersion);
  const { signal, letGo } = followSignals([job.signal, surgery.stopping]);
  const report = new CaseReport();
  const fence = { jobId: job.jobId, token: job.token, ticket: job.ticket };
  const leased: LeasedCase = { surgery, stored, fence, report, signal };
  try {
    return await report.run(surgery, stored, () => routeCase(leased, { ...read, stalls: job.stalls }));
  } catch (error) {
    // Returns the job; the store refuses if its lock is another surgeon's by now.
    if (signal.aborted) return "return";
    if (isEngineError(error)) return quarantineAfterBug(leased, error);
    throw error;
  } finally {
    letGo();
  }
}

/** Returns true for engine errors (TypeError, RangeError …): bugs in this code, as nothing outside throws them. */
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
async function isParked({ surgery, stored, fence }: LeasedCase): Promise<boolean> {
  if ((await surgery.recipeCache.of(stored.fingerprint)).length > 0) return false;
  return (await surgery.store.cases.modelSlots.park(stored.fingerprint, fence)) === "parked";
}

/** Claims a case back from people, verifies its message, and repairs, resends or reroutes it. */
async function repairCase(leased: LeasedCase): Promise<Disposal> {
  const { surgery, stored: from, fence } = leased;
  const stored =
    from.status === "quarantined" ? await claimCase(surgery.store, { from, by: SURGEON_ID, fence }) : from;
  if (stored === null) return "done";
  const claimed = { ...leased, stored };
  try {
    return await repairClaimed(claimed);
  } catch (error) {
    if (!(error instanceof SutureError) || error.failureClass !== "unsupported_version") throw error;
    return waitForOtherRelease(claimed, `A newer surgeon has to read it (${error.code}).`);
  }
}

async function repairClaimed(leased: LeasedCase): Promise<Disposal> {
  const { surgery, stored, report } = leased;
  const message = openMessage(surgery, stored);
  if (typeof message === "string") return quarantineUnread(leased, message, message);
  if (message.envelope === null)
    return quarantineUnread(leased, message, "It never verified; nobody has read it.");
  report.link(message.envelope.meta.traceparent);
  if (message.doubt !== null) return quarantine(leased, message.doubt);
  const wanted = toWardCase(stored).decision?.kind;
  if (message.record.disposition === "reroute" && wanted !== "operate") return reroute(leased, message);
  const unknown = findUnknown(surgery, message.record);
  if (unknown !== null) return waitForOtherRelease(leased, unknown);
  const context = repairContextOf(surgery, stored, message);
  const judged = triage(context);
  if (judged.kind === "person") return quarantine(leased, judged.diagnosis);
  if (judged.kind === "resend") return resend(leased, context);
  await countFailedRecipe(surgery, context);
  return runLadder(leased, context);
}

/** Counts a failure against the recipe whose repair failed on its payload again. */
async function countFailedRecipe(surgery: Surgery, context: RepairContext): Promise<void> {
  if (context.operation === 1) return;
  const recipeId = healingRecipe(lastOperation(context.stored));
  const failure = context.message.record.failures[0]?.failure_class;
  if (recipeId === null || failure === undefined || !PAYLOAD_FAILURES.includes(failure)) return;
  const { case_id: caseId } = context.stored;
  await countReturned(surgery, recipeId, { caseId, producer: producerOf(context.message) });
  await surgery.recipeCache.refresh();
}

/** Quarantines a case whose message cannot be read. Updates its run only if the run knows the message. */
async function quarantineUnread(
  leased: LeasedCase,
  message: OpenedDeadMessage | string,
  diagnosis: string,
): Promise<"done"> {
  return quarantine(leased, diagnosis, {
    updatesRun: await mayUpdateRun(leased.surgery.store, leased.stored, message),
  });
}

/** Delay before a case that needs another release is tried again: a share of its age, within bounds, in ms. */
const OTHER_RELEASE_MS_MIN = 2000;
const OTHER_RELEASE_MS_MAX = 60_000;
const OTHER_RELEASE_SHARE = 10;

/** Postpones a case that this release cannot judge: during a rolling upgrade, another release can. */
async function waitForOtherRelease(leased: LeasedCase, why: string): Promise<"done"> {
  const { surgery, stored } = leased;
  const ageMs = now() - stored.admitted_ms;
  const delayMs = Math.min(OTHER_RELEASE_MS_MAX, Math.max(OTHER_RELEASE_MS_MIN, ageMs / OTHER_RELEASE_SHARE));
  surgery.logger.warn({ case_id: stored.case_id, why }, "a case waits for another release");
  return postpone(leased, delayMs, why);
}
