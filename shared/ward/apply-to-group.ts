import { now, uuidv7 } from "#shared/clock";
import { BATCH_CASES_MAX } from "#shared/store";
import type { Store } from "#shared/store";
import { getBatch } from "./batch.ts";
import type { Batch, BatchDecision, BatchState } from "./batch.ts";
import { BatchStateError } from "./errors.ts";

export interface GroupRequest {
  readonly fingerprint: string;
  readonly decision: Exclude<BatchDecision, "restore">;
  readonly by: string;
  readonly why: string;
  /** Cases to try first. Default 5; 0 for none. */
  readonly canary?: number;
  /** Cases a second at most. Default 10. */
  readonly rate_per_second?: number;
}

const CANARY_DEFAULT = 5;
const RATE_DEFAULT = 10;
const RATE_MAX = 1000;
const PAGE = 500;

/**
 * Plans one decision for all cases of a group that wait in quarantine now. Nothing is touched: the surgeon first counts
 * how many would pass, then a person starts it with `startBatch`.
 *
 * @throws {BatchStateError} The rate or the canary is out of range, or nobody is named.
 */
export async function applyToGroup(store: Store, request: GroupRequest): Promise<Batch> {
  const { canary = CANARY_DEFAULT, rate_per_second: rate = RATE_DEFAULT } = request;
  const batchId = uuidv7();
  const refuse = (problem: string): never => {
    throw new BatchStateError(batchId, problem);
  };
  if (!Number.isInteger(canary) || canary < 0 || canary > BATCH_CASES_MAX)
    refuse("the canary is out of range");
  if (!(rate > 0 && rate <= RATE_MAX)) refuse(`the rate is not above 0 and at most ${RATE_MAX} a second`);
  if (request.by.trim() === "") refuse("nobody is named as deciding");
  const caseIds = await waitingCases(store, request.fingerprint);
  const at = String(now());
  await store.cases.batches.create(
    batchId,
    {
      fingerprint: request.fingerprint,
      decision: request.decision,
      by: request.by,
      why: request.why.slice(0, 2000),
      canary: String(canary),
      rate_per_second: String(rate),
      state: caseIds.length === 0 ? "done" : "dry_run",
      created_ms: at,
      changed_ms: at,
      total: String(caseIds.length),
    },
    caseIds,
  );
  return getBatch(store, batchId);
}

/** Starts a planned batch, or goes on after the canary. @throws {BatchStateError} */
export async function startBatch(store: Store, batchId: string): Promise<Batch> {
  const batch = await getBatch(store, batchId);
  if (batch.state === "planned") return move(store, batch, batch.canary > 0 ? "canary" : "running");
  if (batch.state === "look") return move(store, batch, "running");
  throw new BatchStateError(batchId, `it is ${batch.state}`);
}

/** Stops a batch: what was decided stands, nothing more is. @throws {BatchStateError} */
export async function stopBatch(store: Store, batchId: string): Promise<Batch> {
  for (;;) {
    const batch = await getBatch(store, batchId);
    if (batch.state === "done" || batch.state === "stopped")
      throw new BatchStateError(batchId, `it is ${batch.state}`);
    // The surgeon may have brought it on meanwhile; a person's stop counts all the same. States only go forward.
    const change = { from: batch.state, to: "stopped", atMs: now() };
    if (await store.cases.batches.move(batchId, change)) return getBatch(store, batchId);
  }
}

/** @throws {BatchStateError} Somebody was faster. */
async function move(store: Store, batch: Batch, to: BatchState): Promise<Batch> {
  const isMoved = await store.cases.batches.move(batch.batch_id, { from: batch.state, to, atMs: now() });
  const present = await getBatch(store, batch.batch_id);
  if (!isMoved) throw new BatchStateError(batch.batch_id, `it is ${present.state} by now`);
  return present;
}

async function waitingCases(store: Store, fingerprint: string): Promise<string[]> {
  const found: string[] = [];
  for (let from = 0; found.length < BATCH_CASES_MAX; from += PAGE) {
    const ids = await store.cases.idsOf({ kind: "group", fingerprint }, { from, limit: PAGE });
    const cases = await Promise.all(ids.map((id) => store.cases.findHead(id)));
    found.push(...cases.filter((one) => one?.status === "quarantined").map((one) => one?.case_id ?? ""));
    if (ids.length < PAGE) break;
  }
  return found.slice(0, BATCH_CASES_MAX);
}
