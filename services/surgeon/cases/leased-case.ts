import type { CaseFence, StoredCase } from "#shared/store/cases";
import type { Surgery } from "../surgery.ts";
import type { CaseReport } from "./case-report.ts";

/** A case whose job this surgeon holds. Every change is fenced by the job's lock, so a lost lock changes nothing. */
export interface LeasedCase {
  readonly surgery: Surgery;
  readonly stored: StoredCase;
  readonly fence: CaseFence;
  readonly report: CaseReport;
  /** Aborted when the lock is lost or the process stops. */
  readonly signal: AbortSignal;
}
