import { now, uuidv7 } from "#shared/clock";
import type { Store } from "#shared/store";
import type { StoredCase } from "#shared/store/cases";
import { batchField, messagesAt } from "../case-record.ts";
import { stopBatch } from "./apply-to-group.ts";
import { findBatches, getBatch } from "./batch.ts";
import type { Batch } from "./batch.ts";
import { BatchStateError } from "../errors.ts";
import { toWardCase } from "../ward-case.ts";

export interface UndoRequest {
  readonly batchId: string;
  /** Name of the person who reverts it. */
  readonly by: string;
  /** Identity of the person, the same for all their API keys; null if unknown. Default: `by`. */
  readonly person?: string | null;
  readonly why: string;
}

/**
 * Cases restored per second. Higher than the default rate, so that the reversal does not take as long as the discard.
 */
const RATE_PER_SECOND = 100;
const PAGE = 200;

/**
 * Reverts a discard of a group: stops it if it is running, and restores the cases that it discarded, in a new batch
 * that starts at once. Cases whose run was cancelled, has expired or was deleted stay discarded, and count as
 * refused.
 *
 * @throws {BatchStateError} It is not a discard, no person is named, or none of its cases is discarded any more.
 */
export async function undoBatch(store: Store, request: UndoRequest): Promise<Batch> {
  const { batchId, by, person = by } = request;
  const why = request.why.slice(0, 2000);
  const found = await getBatch(store, batchId);
  if (found.decision !== "discard") throw new BatchStateError(batchId, "only a discard can be undone");
  if (by.trim() === "") throw new BatchStateError(batchId, "nobody is named as deciding");
  const batch = isActive(found) ? await stopBatch(store, batchId) : found;
  const caseIds = await discardedCases(store, batch);
  if (caseIds.length === 0)
    throw new BatchStateError(batchId, "nothing that it discarded is discarded any more");
  const undoId = uuidv7();
  const at = String(now());
  await store.cases.batches.create(
    undoId,
    {
      fingerprint: batch.fingerprint,
      decision: "restore",
      undoes: batchId,
      by,
      ...(person === null ? {} : { person }),
      why,
      canary: "0",
      rate_per_second: String(RATE_PER_SECOND),
      state: "running",
      created_ms: at,
      changed_ms: at,
      total: String(caseIds.length),
    },
    caseIds,
  );
  return getBatch(store, undoId);
}

function isActive({ state }: Batch): boolean {
  return state !== "done" && state !== "stopped";
}

/**
 * Returns the cases that the batch has discarded, or is about to: its decisions are stored before they are carried
 * out. Excludes cases that were restored and discarded again by someone else.
 */
async function discardedCases(store: Store, { batch_id, total }: Batch): Promise<string[]> {
  const undone = (await findBatches(store)).filter(({ undoes }) => undoes === batch_id);
  const batches = [batch_id, ...undone.map((one) => one.batch_id)];
  const found: string[] = [];
  for (let from = 0; from < total; from += PAGE) {
    const ids = await store.cases.batches.cases(batch_id, { from, limit: PAGE });
    const cases = await Promise.all(ids.map((id) => store.cases.findHead(id, batches.map(batchField))));
    const own = cases.filter((one) => one !== null).filter((one) => isDiscardedBy(one, batches));
    found.push(...own.map(({ case_id }) => case_id));
  }
  return found;
}

function isDiscardedBy(stored: StoredCase, [own = "", ...undone]: readonly string[]): boolean {
  const isOf = (batchId: string): boolean => messagesAt(stored, batchId) !== null;
  if (!isOf(own) || undone.some(isOf)) return false;
  return stored.status === "discarded" || toWardCase(stored).decision?.batch_id === own;
}
