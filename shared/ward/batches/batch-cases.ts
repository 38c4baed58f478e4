import type { Store } from "#shared/store";
import type { CaseStatus } from "#shared/store/cases";
import { batchField, CaseRecord } from "../case-record.ts";
import { getBatch } from "./batch.ts";
import type { Batch } from "./batch.ts";
import { verifyDischarge } from "../moves/verify-discharge.ts";
import type { DischargeResult } from "../moves/verify-discharge.ts";

/** One case of a batch, and what became of it, looked at when it is asked for. */
export interface BatchCase {
  readonly case_id: string;
  /** Null where the case was forgotten meanwhile. */
  readonly status: CaseStatus | null;
  readonly agent: string;
  /**
   * `not_yet`: its turn has not come; `refused`: it was in no state for it when its turn came; else as
   * `verifyDischarge` says: a message that left is not healed before `went_on`.
   */
  readonly result: "not_yet" | "refused" | DischargeResult;
}

/**
 * What became of each case of a batch, in the order in which they are decided.
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
  return Promise.all(ids.map((caseId, i) => lookAt(store, batch, { caseId, position: offset + i })));
}

async function lookAt(
  store: Store,
  batch: Batch,
  one: { readonly caseId: string; readonly position: number },
): Promise<BatchCase> {
  const { caseId, position } = one;
  const stored = await store.cases.findHead(caseId);
  const seen = {
    case_id: caseId,
    status: stored?.status ?? null,
    agent: stored === null ? "" : (new CaseRecord(stored).agent ?? ""),
  };
  if (position >= batch.decided + batch.refused) return { ...seen, result: "not_yet" };
  const messages = await messagesWhenDecided(store, batch.batch_id, caseId);
  if (messages === "refused") return { ...seen, result: "refused" };
  if (messages === "gone") return { ...seen, result: "ended" };
  return { ...seen, result: await verifyDischarge(store, { caseId, messages }) };
}

/**
 * How many messages a case had held when a batch decided on it; `refused` where it did not, `gone` without the case.
 */
export async function messagesWhenDecided(
  store: Store,
  batchId: string,
  caseId: string,
): Promise<number | "refused" | "gone"> {
  const stored = await store.cases.findHead(caseId, [batchField(batchId)]);
  return stored === null ? "gone" : (new CaseRecord(stored).messagesAt(batchId) ?? "refused");
}
