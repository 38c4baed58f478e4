import { timestamp } from "#shared/clock";
import type { Store } from "#shared/store";
import type { CaseFence, CaseStatus, StoredCase } from "#shared/store/cases";
import type { Job } from "#shared/store/queues";
import type { RunChange } from "#shared/store/runs";
import { effectsOf } from "#shared/store/settlement";
import { WAIT_FIELDS, writeCase } from "../case-record.ts";
import type { CaseChanges, CaseField } from "../case-record.ts";

/** One state change of a case, computed from the version that was read. */
export interface Move {
  readonly from: StoredCase;
  readonly to: CaseStatus;
  readonly by: string;
  readonly action: string;
  readonly why: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly sets?: CaseChanges;
  readonly removes?: readonly CaseField[];
  readonly changes?: readonly RunChange[];
  readonly sends?: readonly Job[];
  /** Queues a job for the surgeon after `delayMs`. */
  readonly wake?: { readonly delayMs: number };
  readonly fence?: CaseFence;
  /** Finishes the surgeon's job with this move. Default: true unless `wake` is set. */
  readonly endsJob?: boolean;
  /** The recipe that healed the message. */
  readonly recipeId?: string;
}

/** Maximum length of a stored reason, in characters. */
const WHY_CHARS_MAX = 2000;

/**
 * Moves a case (compare-and-set on its version) with all effects of the move.
 *
 * @returns False if the case was changed meanwhile or another surgeon holds the job: nothing was written.
 */
export async function moveCase(store: Store, move: Move): Promise<boolean> {
  const { from } = move;
  const jobId = `${from.case_id}.${from.version + 1}`;
  const { changes = [], wake } = move;
  const woken = wake === undefined ? [] : [wardJob(from.case_id, jobId, wake.delayMs)];
  const sends = [...(move.sends ?? []), ...woken];
  const isEmpty = changes.length + sends.length === 0;
  const written = await store.cases.write({
    caseId: from.case_id,
    expectedVersion: from.version,
    status: move.to,
    fingerprint: from.fingerprint,
    sets: writeCase({ ...move.sets, ...(wake === undefined ? {} : { job_id: jobId }) }),
    removes: [...(move.removes ?? []), ...(move.sets?.waits === undefined ? WAIT_FIELDS : [])],
    effects: isEmpty ? null : effectsOf({ changes, sends }),
    audit: {
      case_id: from.case_id,
      at: timestamp(),
      by: move.by,
      action: move.action,
      why: move.why.slice(0, WHY_CHARS_MAX),
      detail: { from: from.status, to: move.to, ...move.detail },
    },
    ...(move.fence === undefined ? {} : { fence: move.fence }),
    ...(move.recipeId === undefined ? {} : { recipeId: move.recipeId }),
    endsJob: move.endsJob ?? wake === undefined,
  });
  return written.kind === "written";
}

/** Returns the surgeon's job for one version of a case. */
export function wardJob(caseId: string, jobId: string, delayMs: number): Job {
  return { lane: "ward", agent: "ward", jobId, data: { case_id: caseId }, delayMs, priority: "normal" };
}
