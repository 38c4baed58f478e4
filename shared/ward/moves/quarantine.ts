import type { Store } from "#shared/store";
import type { CaseFence, StoredCase } from "#shared/store/cases";
import { paidAnswersOf } from "../case-record.ts";
import type { Proposal } from "../decisions/decision.ts";
import { moveCase } from "./move-case.ts";
import type { OperationRecord } from "./operation.ts";
import { operated, quarantined } from "./run-changes.ts";

export interface Quarantine {
  readonly from: StoredCase;
  readonly by: string;
  /** Why automatic repair stopped, for a person. No payload text. */
  readonly diagnosis: string;
  /** The operation that led here; null if there was none. */
  readonly operation: OperationRecord | null;
  /** A proposal that waits for a second person. */
  readonly proposal?: Proposal;
  /** False leaves the run's record unchanged. Default true. */
  readonly updatesRun?: boolean;
  /** Absent if upkeep quarantines a case without a job. */
  readonly fence?: CaseFence;
}

/** Quarantines a case for a person. @returns False if it was changed meanwhile or another surgeon holds the job. */
export async function quarantineCase(store: Store, request: Quarantine): Promise<boolean> {
  const { from, by, diagnosis, operation, proposal, updatesRun = true, fence } = request;
  return moveCase(store, {
    from,
    to: "quarantined",
    by,
    action: "quarantine",
    why: diagnosis,
    sets: { diagnosis, operation, proposal },
    removes: ["decision", "job_id", ...paidAnswersOf(operation)],
    changes: [
      ...(operation === null ? [] : [operated(from, operation)]),
      ...(updatesRun ? [quarantined(from, diagnosis)] : []),
    ],
    ...(fence === undefined ? {} : { fence }),
  });
}
