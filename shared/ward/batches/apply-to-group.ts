import { now, uuidv7 } from "#shared/clock";
import type { Store } from "#shared/store";
import { BATCH_CASES_MAX } from "#shared/store/cases";
import { getBatch } from "./batch.ts";
import type { Batch, BatchDecision } from "./batch.ts";
import { BatchStateError } from "../errors.ts";

export interface GroupRequest {
  readonly fingerprint: string;
  readonly decision: Exclude<BatchDecision, "restore">;
  readonly by: string;
  /** Identity of the person, the same for all their API keys; null if unknown. Default: `by`. */
  readonly person?: string | null;
  readonly why: string;
  /** Number of cases to try first. Default 5; 0 for none. */
  readonly canary?: number;
  /** Maximum cases per second. Default 10. */
  readonly rate_per_second?: number;
}

const CANARY_DEFAULT = 5;
const RATE_DEFAULT = 10;
const RATE_MAX = 1000;
const PAGE = 500;

/**
 * Plans a batch: one decision for all cases of a group quarantined now. The surgeon counts (dry run), then a person
 * starts it. @throws {BatchStateError} The rate or the canary is out of range, or no person is named.
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
  const { fingerprint, decision, by, person = by } = request;
  const why = request.why.slice(0, 2000);
  await store.cases.batches.create(
    batchId,
    {
      fingerprint,
      decision,
      by,
      ...(person === null ? {} : { person }),
      why,
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

/** Starts a planned batch, or continues after the canary. @throws {BatchStateError} Another state, or changed. */
export async function startBatch(store: Store, batchId: string): Promise<Batch> {
  const { state, canary } = await getBatch(store, batchId);
  if (state !== "planned" && state !== "look") throw new BatchStateError(batchId, `it is ${state}`);
  const to = state === "planned" && canary > 0 ? "canary" : "running";
  const isMoved = await store.cases.batches.move(batchId, { from: state, to, atMs: now() });
  const present = await getBatch(store, batchId);
  if (!isMoved) throw new BatchStateError(batchId, `it is ${present.state} by now`);
  return present;
}

/** Stops a batch. Decisions already made stand. @throws {BatchStateError} It has ended. */
export async function stopBatch(store: Store, batchId: string): Promise<Batch> {
  for (;;) {
    const { state } = await getBatch(store, batchId);
    if (state === "done" || state === "stopped") throw new BatchStateError(batchId, `it is ${state}`);
    // The surgeon may have advanced it meanwhile; the stop counts all the same, since states only go forward.
    const change = { from: state, to: "stopped", atMs: now() };
    if (await store.cases.batches.move(batchId, change)) return getBatch(store, batchId);
  }
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
