import type { Store } from "#shared/store";
import type { CaseFence, StoredCase } from "#shared/store/cases";
import { ENDED_STATUSES } from "#shared/store/runs";
import { CaseRecord } from "../case-record.ts";
import { DecisionRefusedError } from "../errors.ts";
import { moveCase } from "./move-case.ts";
import { discarded, restored } from "./run-changes.ts";

export interface Discard {
  readonly from: StoredCase;
  readonly by: string;
  readonly why: string;
  /** `cancelled`: its run is being cancelled; `failed`: the message's branch of the run ends here. */
  readonly end: "failed" | "cancelled";
  /** False leaves the run's record unchanged. Default true. */
  readonly updatesRun?: boolean;
  readonly fence?: CaseFence;
}

/**
 * Ends a case without redriving its message. @returns False if it was changed meanwhile or another surgeon holds the
 * job.
 */
export async function discardCase(store: Store, request: Discard): Promise<boolean> {
  const { from, by, why, end, updatesRun = true, fence } = request;
  return moveCase(store, {
    from,
    to: "discarded",
    by,
    action: "discard",
    why,
    removes: ["decision", "proposal", "job_id"],
    changes: updatesRun ? [discarded(from, end, why)] : [],
    ...(fence === undefined ? {} : { fence }),
  });
}

/**
 * Reverts a discard: the case is quarantined again.
 *
 * @returns False if it was changed meanwhile or another surgeon holds the job.
 * @throws {DecisionRefusedError} Its run was cancelled, has expired or was deleted, so nothing waits for the message.
 */
export async function restoreCase(
  store: Store,
  request: Omit<Discard, "end"> & { readonly fence: CaseFence },
): Promise<boolean> {
  const { from, by, why, fence } = request;
  await assertRunGoesOn(store, from);
  const reason = "It was discarded and restored.";
  return moveCase(store, {
    from,
    to: "quarantined",
    by,
    action: "restore",
    why,
    sets: { diagnosis: reason },
    removes: ["decision", "job_id"],
    changes: [restored(from, reason)],
    fence,
  });
}

/**
 * Checks that the run can continue: a failed run does when its discarded message is restored; one that ended
 * otherwise does not.
 *
 * @throws {DecisionRefusedError}
 */
export async function assertRunGoesOn(store: Store, from: StoredCase): Promise<void> {
  const run = await store.runs.find(new CaseRecord(from).runId);
  if (run === null) throw new DecisionRefusedError(from.case_id, "its run is kept no more");
  if (ENDED_STATUSES.includes(run.status) && run.status !== "failed")
    throw new DecisionRefusedError(from.case_id, `its run has ended as ${run.status}`);
}
