import { derivedId, now, timestamp } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import type {
  CaseFence,
  CaseStatus,
  OutboxEntry,
  RunChange,
  SendRequest,
  Store,
  StoredCase,
} from "#shared/store";

/** One step in the life of a case, worked out from what was read. */
export interface Move {
  readonly from: StoredCase;
  readonly to: CaseStatus;
  readonly by: string;
  readonly action: string;
  readonly why: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly sets?: Readonly<Record<string, string>>;
  readonly removes?: readonly string[];
  readonly changes?: readonly RunChange[];
  readonly sends?: readonly SendRequest[];
  /** Set when the surgeon has to look at the case again, after `delayMs`. */
  readonly wake?: { readonly delayMs: number };
  readonly fence?: CaseFence;
  /**
   * The surgeon's job has nothing more to do after this move. Default: so it is, but where the case is to be
   * woken.
   */
  readonly endsJob?: boolean;
  /** The recipe that healed the letter. */
  readonly recipeId?: string;
}

/** What a case that was put back says of it; gone with its next move. */
export const WAIT_FIELDS = ["waits_why", "waits_until_ms"] as const;

/** Longest reason that is kept, in characters. */
const WHY_CHARS_MAX = 2000;

/**
 * Makes the move in one script. Where that cannot hold what it sets in motion, that is delivered afterwards; what
 * cannot be delivered now stays in the ward's outbox for the relay, so that a crash after the script loses and
 * doubles nothing.
 *
 * @returns false when somebody else changed the case, or took over the job, meanwhile: nothing was written.
 */
export async function moveCase(store: Store, move: Move): Promise<boolean> {
  const { from } = move;
  const jobId = `${from.case_id}.${from.version + 1}`;
  const entry: OutboxEntry = {
    id: derivedId("ward", from.case_id, from.version + 1),
    at_ms: now(),
    changes: move.changes ?? [],
    sends: [
      ...(move.sends ?? []),
      ...(move.wake === undefined ? [] : [wardJob(from.case_id, jobId, move.wake.delayMs)]),
    ],
    admissions: [],
  };
  const isEmpty = entry.changes.length === 0 && entry.sends.length === 0;
  const written = await store.cases.write({
    caseId: from.case_id,
    expectedVersion: from.version,
    status: move.to,
    fingerprint: from.fingerprint,
    sets: { ...move.sets, ...(move.wake === undefined ? {} : { job_id: jobId }) },
    removes: [...(move.removes ?? []), ...WAIT_FIELDS.filter((name) => move.sets?.[name] === undefined)],
    outbox: isEmpty ? null : entry,
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
    endsJob: move.endsJob ?? move.wake === undefined,
  });
  if (written.kind !== "written") return false;
  if (!isEmpty && !written.isDelivered) await deliverNow(store, entry);
  return true;
}

/** The surgeon's job for one version of a case. */
export function wardJob(caseId: string, jobId: string, delayMs: number): SendRequest {
  return { lane: "ward", agent: "ward", jobId, data: { case_id: caseId }, delayMs, priority: "normal" };
}

/** Delivers at once what the relay would deliver later. */
export async function deliverNow(store: Store, entry: OutboxEntry): Promise<void> {
  try {
    crashPoint("W12:after_discharge_before_send");
    await store.outbox.deliver(entry, "ward");
    crashPoint("W12:after_send_before_outbox_clear");
    await store.outbox.forgetConfirmed("ward", entry);
  } catch (error) {
    // The entry is written; the surgeon's relay delivers it. The process hears of it all the same.
    store.options.onError(
      error instanceof Error ? error : new Error("the ward's outbox could not be delivered"),
    );
  }
}
