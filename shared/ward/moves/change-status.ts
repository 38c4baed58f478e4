import { now } from "#shared/clock";
import type { Store } from "#shared/store";
import type { CaseFence, StoredCase } from "#shared/store/cases";
import { ENDED_STATUSES } from "#shared/store/runs";
import { recordOf, paidAnswersOf } from "../case-record.ts";
import type { Proposal } from "../decisions/decision.ts";
import { DecisionRefusedError } from "../errors.ts";
import { discarded, moveCase, operated, quarantined, reclaimed, restored } from "./move-case.ts";
import type { OperationRecord } from "./operation.ts";

interface Claim {
  readonly from: StoredCase;
  readonly by: string;
  readonly fence: CaseFence;
}

/**
 * Claims a case for surgery. One already in surgery belonged to a crashed surgeon, whose job this one now holds.
 *
 * @returns The claimed case; null if it was changed meanwhile or another surgeon holds the job.
 */
export async function claimCase(store: Store, claim: Claim): Promise<StoredCase | null> {
  const { from, by, fence } = claim;
  const changes = from.status === "quarantined" ? [reclaimed(from)] : [];
  const isMoved = await moveCase(store, {
    from,
    to: "in_surgery",
    by,
    action: "claim",
    why: "",
    changes,
    fence,
    endsJob: false,
  });
  return isMoved ? store.cases.find(from.case_id) : null;
}

/** Maximum length of a stored reason, in characters. */
const WAITS_WHY_CHARS_MAX = 500;

/** Postpones a case: the endpoint is down, or the hour's money spent. No operation; the case shows why, until when. */
export async function postponeCase(
  store: Store,
  wait: Claim & { readonly delayMs: number; readonly why: string },
): Promise<boolean> {
  const { from, by, fence, delayMs, why } = wait;
  const wake = { delayMs: Math.max(1, Math.ceil(delayMs)) };
  return moveCase(store, {
    from,
    to: "admitted",
    by,
    action: "wait",
    why,
    detail: { delay_ms: delayMs },
    sets: { waits: { why: why.slice(0, WAITS_WHY_CHARS_MAX), until_ms: now() + wake.delayMs } },
    wake,
    fence,
  });
}

/** Queues a new job for a case whose job was lost or crashed. A waiting decision stays. */
export async function restartCase(store: Store, from: StoredCase, why: string): Promise<boolean> {
  return moveCase(store, {
    from,
    to: from.status === "in_surgery" ? "admitted" : from.status,
    by: "ward",
    action: "restart",
    why,
    sets: { restarts: recordOf(from).restarts + 1 },
    wake: { delayMs: 0 },
  });
}

interface Quarantine {
  readonly from: StoredCase;
  readonly by: string;
  /** Reason for which automatic repair stopped, for a person. No payload text. */
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

interface Discard {
  readonly from: StoredCase;
  readonly by: string;
  readonly why: string;
  /** `cancelled`: its run is being cancelled; `failed`: the message's branch of the run ends here. */
  readonly end: "failed" | "cancelled";
  /** False leaves the run's record unchanged. Default true. */
  readonly updatesRun?: boolean;
  readonly fence?: CaseFence;
}

/** Ends a case without redriving its message. @returns False if it was changed, or another surgeon has the job. */
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
  { from, by, why, fence }: Claim & { readonly why: string },
): Promise<boolean> {
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

/** Checks that the run can continue, as after a restored discard. @throws {DecisionRefusedError} It ended otherwise. */
export async function assertRunGoesOn(store: Store, from: StoredCase): Promise<void> {
  const run = await store.runs.find(recordOf(from).runId);
  if (run === null) throw new DecisionRefusedError(from.case_id, "its run is kept no more");
  if (ENDED_STATUSES.includes(run.status) && run.status !== "failed")
    throw new DecisionRefusedError(from.case_id, `its run has ended as ${run.status}`);
}

/** Withdraws a decision with a diagnosis. @returns False if the case was changed, or another surgeon has the job. */
export async function dropDecision(
  store: Store,
  { from, by, why, fence }: Claim & { readonly why: string },
): Promise<boolean> {
  return moveCase(store, {
    from,
    to: from.status,
    by,
    action: "refuse",
    why,
    sets: { diagnosis: why },
    removes: ["decision"],
    fence,
  });
}
