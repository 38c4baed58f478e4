import { now, timestamp, uuidv7 } from "#shared/clock";
import type { Store } from "#shared/store";
import { BATCH_CASES_MAX } from "#shared/store/cases";
import { getBatch } from "./batch.ts";
import type { Batch, BatchDecision } from "./batch.ts";
import { BatchStateError } from "../errors.ts";
import { markBatchEnded } from "../decisions/once-only.ts";
import { digestOfCases, signGo, signPlan, signStop } from "./sign-batch.ts";
import type { DecisionContext } from "../decisions/sign-decision.ts";

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
 * Plans a batch: one decision for all cases of a group that are quarantined now. Changes no case: the surgeon first
 * counts how many would pass (dry run), then a person starts it with `startBatch`.
 *
 * @throws {BatchStateError} The rate or the canary is out of range, or no person is named.
 * @throws {SigningKeyMissingError} This process has no key to sign decisions with.
 */
export async function applyToGroup(
  { store, keyring }: DecisionContext,
  request: GroupRequest,
): Promise<Batch> {
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
  const state = caseIds.length === 0 ? "done" : "dry_run";
  const plan = {
    batch_id: batchId,
    fingerprint,
    decision,
    by,
    person,
    why,
    canary,
    rate_per_second: rate,
    undoes: null,
    at: timestamp(),
    cases: digestOfCases(caseIds),
    state,
    stops: "signed",
  } as const;
  await store.cases.batches.create(
    batchId,
    {
      plan: signPlan(plan, keyring),
      fingerprint,
      decision,
      by,
      why,
      canary: String(canary),
      rate_per_second: String(rate),
      state,
      created_ms: at,
      changed_ms: at,
      total: String(caseIds.length),
    },
    caseIds,
  );
  return getBatch(store, batchId);
}

/**
 * Starts a planned batch, or continues after the canary.
 *
 * @param by - Name of the person.
 * @throws {BatchStateError} It is in another state, or was changed meanwhile.
 * @throws {SigningKeyMissingError} This process has no key to sign decisions with.
 */
export async function startBatch(context: DecisionContext, batchId: string, by: string): Promise<Batch> {
  const batch = await getBatch(context.store, batchId);
  if (batch.state === "planned")
    return advanceBatch(context, batch, { to: batch.canary > 0 ? "canary" : "running", by });
  if (batch.state === "look") return advanceBatch(context, batch, { to: "running", by });
  throw new BatchStateError(batchId, `it is ${batch.state}`);
}

/**
 * Stops a batch. Decisions already made stand.
 *
 * @param by - Name of the person.
 * @throws {BatchStateError} It has ended.
 * @throws {SigningKeyMissingError} This process has no key to sign decisions with.
 */
export async function stopBatch(
  { store, keyring }: DecisionContext,
  batchId: string,
  by: string,
): Promise<Batch> {
  const stop = signStop({ batch_id: batchId, by, at: timestamp() }, { keyring, signer: "console" });
  for (;;) {
    const batch = await getBatch(store, batchId);
    if (batch.state === "done" || batch.state === "stopped")
      throw new BatchStateError(batchId, `it is ${batch.state}`);
    // Written before the state: a batch that is stopped without a signature would continue.
    await store.cases.batches.set(batchId, { stop });
    await markBatchEnded(store, batchId);
    // The surgeon may have advanced it meanwhile; the stop counts all the same, since states only go forward.
    const change = { from: batch.state, to: "stopped", atMs: now() };
    if (await store.cases.batches.move(batchId, change)) return getBatch(store, batchId);
  }
}

/** Moves a batch to its next state, signed. @throws {BatchStateError} It was moved meanwhile. */
async function advanceBatch(
  { store, keyring }: DecisionContext,
  { batch_id, state }: Batch,
  { to, by }: { readonly to: "canary" | "running"; readonly by: string },
): Promise<Batch> {
  const signed = signGo({ batch_id, to, by, at: timestamp() }, keyring);
  // Written before the state: a batch that runs without a signature would be stopped.
  await store.cases.batches.set(batch_id, { go: signed });
  const isMoved = await store.cases.batches.move(batch_id, { from: state, to, atMs: now() });
  const present = await getBatch(store, batch_id);
  if (!isMoved) throw new BatchStateError(batch_id, `it is ${present.state} by now`);
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
