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
  /** What a person should know: why no machine went on. No payload text. */
  readonly diagnosis: string;
  /** The stay in surgery that led here; null when there was none. */
  readonly operation: OperationRecord | null;
  /** A change that waits for a second person. */
  readonly proposal?: Proposal;
  /** False leaves the run of the case's record alone. Default true. */
  readonly tellsRun?: boolean;
  /** Absent when a case without a job is put aside by upkeep. */
  readonly fence?: CaseFence;
}

/** Leaves a case to people. @returns false when somebody else changed it or holds the job. */
export async function quarantineCase(store: Store, request: Quarantine): Promise<boolean> {
  const { from, by, diagnosis, operation, proposal, tellsRun = true, fence } = request;
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
      ...(tellsRun ? [quarantined(from, diagnosis)] : []),
    ],
    ...(fence === undefined ? {} : { fence }),
  });
}
