import type { Store } from "#shared/store";
import type { CaseStatus } from "#shared/store/cases";
import { batchField, recordOf, messagesAt } from "../case-record.ts";
import { getBatch } from "./batch.ts";
import type { Batch } from "./batch.ts";
import { verifyDischarge } from "../moves/verify-discharge.ts";
import type { DischargeResult } from "../moves/verify-discharge.ts";

/** One case of a batch with its present result. */
export interface BatchCase {
  readonly case_id: string;
  /** Null if the case was deleted meanwhile. */
  readonly status: CaseStatus | null;
  readonly agent: string;
  /**
   * `not_yet`: not decided yet; `refused`: it was in another state when its turn came; else the result of
   * `verifyDischarge`: a redriven message counts as healed only with `went_on`.
   */
  readonly result: "not_yet" | "refused" | DischargeResult;
}

/**
 * Returns the cases of a batch with their results, in the order of their decisions.
 *
 * @throws {BatchStateError} There is no such batch.
 */
export async function findBatchCases(
  store: Store,
  asked: { readonly batchId: string; readonly offset: number; readonly limit: number },
): Promise<BatchCase[]> {
  const { batchId, offset, limit } = asked;
  const batch = await getBatch(store, batchId);
  const ids = await store.cases.batches.cases(batchId, { from: offset, limit });
  return Promise.all(ids.map((caseId, i) => readBatchCase(store, batch, { caseId, position: offset + i })));
}

async function readBatchCase(
  store: Store,
  batch: Batch,
  one: { readonly caseId: string; readonly position: number },
): Promise<BatchCase> {
  const { caseId, position } = one;
  const stored = await store.cases.findHead(caseId);
  const seen = {
    case_id: caseId,
    status: stored?.status ?? null,
    agent: stored === null ? "" : (recordOf(stored).agent ?? ""),
  };
  if (position >= batch.decided + batch.refused) return { ...seen, result: "not_yet" };
  const messages = await messagesWhenDecided(store, batch.batch_id, caseId);
  if (messages === "refused") return { ...seen, result: "refused" };
  if (messages === "gone") return { ...seen, result: "ended" };
  return { ...seen, result: await verifyDischarge(store, { caseId, messages }) };
}

/**
 * Returns how many messages a case had when a batch decided on it; `refused` if it did not, `gone` without the case.
 */
export async function messagesWhenDecided(
  store: Store,
  batchId: string,
  caseId: string,
): Promise<number | "refused" | "gone"> {
  const stored = await store.cases.findHead(caseId, [batchField(batchId)]);
  return stored === null ? "gone" : (messagesAt(stored, batchId) ?? "refused");
}
