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
  /** False leaves the run of the case's record alone. Default true. */
  readonly tellsRun?: boolean;
  readonly fence?: CaseFence;
}

/** Ends a case without its message going on. @returns false when somebody else changed it or holds the job. */
export async function discardCase(store: Store, request: Discard): Promise<boolean> {
  const { from, by, why, end, tellsRun = true, fence } = request;
  return moveCase(store, {
    from,
    to: "discarded",
    by,
    action: "discard",
    why,
    removes: ["decision", "proposal", "job_id"],
    changes: tellsRun ? [discarded(from, end, why)] : [],
    ...(fence === undefined ? {} : { fence }),
  });
}

/**
 * Undoes a discard: the case waits for a person again.
 *
 * @returns false when somebody else changed it or holds the job.
 * @throws {DecisionRefusedError} Its run was cancelled or has expired, or is kept no more: nothing waits for the
 * message.
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
 * A run that failed goes on when its discarded message comes back; one that ended otherwise waits for nothing any more.
 *
 * @throws {DecisionRefusedError}
 */
export async function assertRunGoesOn(store: Store, from: StoredCase): Promise<void> {
  const run = await store.runs.find(new CaseRecord(from).runId);
  if (run === null) throw new DecisionRefusedError(from.case_id, "its run is kept no more");
  if (ENDED_STATUSES.includes(run.status) && run.status !== "failed")
    throw new DecisionRefusedError(from.case_id, `its run has ended as ${run.status}`);
}
