import { now } from "#shared/clock";
import type { Store } from "#shared/store";
import type { Decision } from "./decision.ts";

const DAY_MS = 86_400_000;

/** Validity of a signed decision, in days. */
const SIGNED_LIFE_DAYS = 30;

/** Longer than the validity of signatures, to allow for clock skew. */
const MARK_LIFE_MS = (SIGNED_LIFE_DAYS + 1) * DAY_MS;

const ENDED = 1;

/**
 * Returns why a validly signed decision is not carried out now (replayed or expired), for display; null if it may be.
 */
export async function findStale(
  store: Pick<Store, "highWater">,
  { case_id = "", version = 0, at }: Decision,
): Promise<string | null> {
  if (isTooOld(at)) return `it was signed more than ${SIGNED_LIFE_DAYS} days ago`;
  const mark = await store.highWater.of(caseSubject(case_id));
  return version < mark ? "it was carried out before, or a later one was" : null;
}

/** Marks a decision as carried out or withdrawn: neither it nor an earlier one is carried out again. */
export async function markCarriedOut(
  store: Pick<Store, "highWater">,
  { case_id = "", version = 0 }: Decision,
): Promise<void> {
  await store.highWater.raise(caseSubject(case_id), { to: version + 1, lifeMs: MARK_LIFE_MS });
}

/** Returns why a validly signed batch plan is no longer carried out, for display; null if it is. */
export async function findBatchStale(
  store: Pick<Store, "highWater">,
  plan: { readonly batch_id: string; readonly at: string },
): Promise<string | null> {
  if (isTooOld(plan.at)) return `it was planned more than ${SIGNED_LIFE_DAYS} days ago`;
  return (await hasBatchEnded(store, plan.batch_id)) ? "it had ended before" : null;
}

/** Returns true if a batch has ended: it does not continue, whatever its record says. */
export async function hasBatchEnded(store: Pick<Store, "highWater">, batchId: string): Promise<boolean> {
  return (await store.highWater.of(batchSubject(batchId))) >= ENDED;
}

export async function markBatchEnded(store: Pick<Store, "highWater">, batchId: string): Promise<void> {
  await store.highWater.raise(batchSubject(batchId), { to: ENDED, lifeMs: MARK_LIFE_MS });
}

function isTooOld(at: string): boolean {
  return !(now() - Date.parse(at) <= SIGNED_LIFE_DAYS * DAY_MS);
}

function caseSubject(caseId: string): string {
  return `case:${caseId}`;
}

function batchSubject(batchId: string): string {
  return `batch:${batchId}`;
}
