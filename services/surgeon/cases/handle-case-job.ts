import { followSignals } from "#shared/clock";
import type { DeliveredJob, Disposal } from "#shared/store/queues";
import { markCarriedOut } from "#shared/ward/decisions";
import type { Surgery } from "../surgery.ts";
import { CaseReport } from "./case-report.ts";
import { quarantine } from "./end-case.ts";
import type { LeasedCase } from "./leased-case.ts";
import { routeCase } from "./route-case.ts";

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
