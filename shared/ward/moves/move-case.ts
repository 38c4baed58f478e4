import { derivedId, timestamp } from "#shared/clock";
import type { Store } from "#shared/store";
import type { CaseFence, CaseStatus, StoredCase } from "#shared/store/cases";
import type { Job } from "#shared/store/queues";
import { rankOf } from "#shared/store/runs";
import type { RunChange, RunEnd, RunEvent } from "#shared/store/runs";
import { effectsOf } from "#shared/store/settlement";
import { recordOf, WAIT_FIELDS, writeCase } from "../case-record.ts";
import type { CaseChanges, CaseField } from "../case-record.ts";
import { spentOn } from "./operation.ts";
import type { OperationRecord } from "./operation.ts";

/** One state change of a case, computed from the version that was read. */
interface Move {
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

/** Fields of a case that its run is told. */
type Reported = Pick<StoredCase, "case_id" | "version" | "fields">;

/** Returns the run event of a case's move. Its id follows from the case's version, so that a repeat is idempotent. */
function eventOf(
  from: Reported,
  type: RunEvent["type"],
  detail: Readonly<Record<string, unknown>>,
): RunEvent {
  const { runId, messageId, agent } = recordOf(from);
  return {
    id: derivedId("ward", from.case_id, from.version + 1, type),
    run_id: runId,
    type,
    at: timestamp(),
    message_id: messageId,
    agent,
    detail: { case_id: from.case_id, ...detail },
  };
}

/** Reports an operation and its cost to the run. */
export function operated(from: StoredCase, record: OperationRecord): RunChange {
  const { cost, tokens } = spentOn(record.attempts);
  return {
    event: eventOf(from, "operation", {
      number: record.number,
      procedures: record.attempts.map(({ procedure, outcome }) => ({ procedure, outcome })),
      cost,
      tokens,
    }),
    cost,
    tokens,
  };
}

export function quarantined(from: Reported, reason: string): RunChange {
  return {
    event: eventOf(from, "quarantined", { reason }),
    moves: { state: "quarantined", rank: rankOf.ward(from.version + 1) },
    ...recordOf(from).branchField,
  };
}

/** Reports a discarded message that is quarantined again; its run continues to wait for it. */
export function restored(from: Reported, reason: string): RunChange {
  return { ...quarantined(from, reason), ...endOf(from, "undo_failed") };
}

/** Reports that a quarantined case is with the surgeon again. */
export function reclaimed(from: StoredCase): RunChange {
  return {
    event: eventOf(from, "in_ward", { reason: "a person asked for another operation" }),
    moves: { state: "in_ward", rank: rankOf.ward(from.version + 1) },
    ...recordOf(from).branchField,
  };
}

/** Reports that a new message replaces the dead one. */
export function replaced(
  from: StoredCase,
  by: {
    readonly type: "discharged" | "released" | "rerouted";
    readonly message_id: string;
    readonly agent: string;
    readonly detail: Readonly<Record<string, unknown>>;
  },
): RunChange {
  const { message_id, agent } = by;
  return {
    event: eventOf(from, by.type, { to: agent, as: message_id, ...by.detail }),
    moves: { state: "closed", rank: rankOf.closed() },
    ...recordOf(from).branchField,
    opens: [{ message_id, agent, ...recordOf(from).branchField }],
  };
}

/** Reports a discarded message. Ranked among the ward's moves rather than as closed, so that it can be restored. */
export function discarded(from: StoredCase, end: "failed" | "cancelled", reason: string): RunChange {
  return {
    event: eventOf(from, "discarded", { reason }),
    moves: { state: "closed", rank: rankOf.ward(from.version + 1) },
    ...recordOf(from).branchField,
    ...endOf(from, end),
  };
}

/** The end of a branch is not the end of its run: its join decides that. */
function endOf(from: Reported, end: RunEnd): Pick<RunChange, "end"> {
  return recordOf(from).branchField.branch === undefined ? { end } : {};
}
