import { now, timestamp } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import type { Keyring } from "#shared/envelope/keys";
import { SutureError } from "#shared/errors";
import type { Store } from "#shared/store";
import { BATCH_CASES_MAX } from "#shared/store/cases";
import type { StoredCase } from "#shared/store/cases";
import { CaseRecord } from "../case-record.ts";
import { findBatches } from "./batch.ts";
import type { Batch } from "./batch.ts";
import { messagesWhenDecided } from "./batch-cases.ts";
import { decide } from "../decisions/decide.ts";
import { findBatchStale, hasBatchEnded, markBatchEnded } from "../decisions/once-only.ts";
import { digestOfCases, isStopSigned, signStop, stateBeforeStop, verifyBatch } from "./sign-batch.ts";
import type { BatchPlan } from "./sign-batch.ts";
import { verifyDischarge } from "../moves/verify-discharge.ts";
import type { DischargeResult } from "../moves/verify-discharge.ts";
import { toWardCase } from "../ward-case.ts";

export interface BatchRound {
  /** Name of this surgeon among others: one at a time runs batches, by a lease. */
  readonly instance: string;
  /**
   * Returns true if a decision would help this case. `operate`: the free procedures would heal it, with proof;
   * `release`: its contract accepts it as it is.
   */
  readonly wouldPass: (stored: StoredCase, decision: "operate" | "release") => Promise<boolean>;
  readonly retentionMs: number;
  /** Verifies plans of people, and signs the decision on each case. */
  readonly keyring: Keyring;
  /** Called for each batch whose stop or continuation is not signed, and which is corrected. */
  readonly onRefused: (batch: Batch, problem: string) => void;
}

/** Lease of the leading surgeon, in ms; renewed with every round. */
const LEAD_MS = 10_000;

/** Maximum cases checked per round in a dry run, and verified per round. */
const CHECKED_PER_ROUND = 200;
const VERIFIED_PER_ROUND = 100;

/** Maximum delay that a late round makes up for, in ms. */
const CATCH_UP_MS = 2000;

/** Runs one round over all batches: checks, decides at the given rate, verifies. Progress is stored as it goes. */
export async function runBatches(store: Store, round: BatchRound): Promise<void> {
  if (!(await store.cases.batches.lead(round.instance, LEAD_MS))) return;
  for (const batch of await findBatches(store)) await runBatch(store, round, batch);
}

async function runBatch(store: Store, round: BatchRound, batch: Batch): Promise<void> {
  switch (batch.state) {
    case "dry_run":
      return withPlan(store, round, batch, () => check(store, round, batch));
    case "canary":
    case "running":
      await withPlan(store, round, batch, (plan) => proceed(store, round, { batch, plan }));
      return verify(store, batch);
    case "planned":
      return stopAbandoned(store, round, batch);
    case "look":
      await stopAbandoned(store, round, batch);
      return verify(store, batch);
    case "done":
    case "stopped":
      if (batch.state === "stopped" && (await resumeUnsignedStop(store, round, batch))) return;
      await markBatchEnded(store, batch.batch_id);
      if (now() - batch.changed_ms > round.retentionMs) return store.cases.batches.forget(batch.batch_id);
      return verify(store, batch);
    default:
      return batch.state satisfies never;
  }
}

/** Runs a batch by its signed plan; a batch without one is stopped with the reason. */
async function withPlan(
  store: Store,
  round: BatchRound,
  batch: Batch,
  work: (plan: BatchPlan) => Promise<void>,
): Promise<void> {
  const { batches } = store.cases;
  const fields = (await batches.find(batch.batch_id)) ?? {};
  const verified = verifyBatch(batch, { fields, keyring: round.keyring });
  if (isStopSigned(batch.batch_id, fields, round.keyring)) return moveBatch(store, batch, "stopped");
  const problem =
    "problem" in verified
      ? verified.problem
      : ((await findOtherCases(store, verified.plan)) ?? (await findBatchStale(store, verified.plan)));
  if ("plan" in verified && problem === null) return work(verified.plan);
  const stopped = `It was stopped: ${problem}. Plan it anew.`;
  await batches.set(batch.batch_id, { problem: stopped });
  await stop(store, round, batch);
  round.onRefused(batch, stopped);
}

/** Stops a batch in the surgeon's name. */
async function stop(store: Store, { keyring }: BatchRound, batch: Batch): Promise<void> {
  const said = { batch_id: batch.batch_id, by: "surgeon", at: timestamp() };
  await store.cases.batches.set(batch.batch_id, { stop: signStop(said, { keyring, signer: "surgeon" }) });
  await moveBatch(store, batch, "stopped");
}

/** Continues a batch whose stop is not signed. @returns True if it continues. */
async function resumeUnsignedStop(store: Store, round: BatchRound, batch: Batch): Promise<boolean> {
  const { batch_id: id } = batch;
  const fields = (await store.cases.batches.find(id)) ?? {};
  const state = stateBeforeStop(id, fields, round.keyring);
  if (state === null || state === "done" || (await hasBatchEnded(store, id))) return false;
  await moveBatch(store, batch, state);
  round.onRefused(batch, "It was stopped by nobody who may, and goes on.");
  return true;
}

async function findOtherCases(store: Store, plan: BatchPlan): Promise<string | null> {
  const ids = await store.cases.batches.cases(plan.batch_id, { from: 0, limit: BATCH_CASES_MAX + 1 });
  return digestOfCases(ids) === plan.cases ? null : "its cases are not those that were planned";
}

/** Stops a batch that no person started or continued within the retention. It is deleted one retention later. */
async function stopAbandoned(store: Store, round: BatchRound, batch: Batch): Promise<void> {
  if (now() - batch.changed_ms > round.retentionMs) await stop(store, round, batch);
}

async function check(store: Store, round: BatchRound, batch: Batch): Promise<void> {
  const { batches } = store.cases;
  const ids = await batches.cases(batch.batch_id, { from: batch.checked, limit: CHECKED_PER_ROUND });
  let passing = 0;
  for (const id of ids) {
    const stored = await store.cases.find(id);
    if (stored?.status !== "quarantined") continue;
    const { decision } = batch;
    if (decision === "discard" || decision === "restore" || (await round.wouldPass(stored, decision)))
      passing += 1;
  }
  const checked = batch.checked + ids.length;
  await batches.set(batch.batch_id, {
    checked: String(checked),
    would_pass: String(batch.would_pass + passing),
  });
  if (checked >= batch.total) await moveBatch(store, batch, "planned");
}

interface Planned {
  readonly batch: Batch;
  readonly plan: BatchPlan;
}

async function proceed(store: Store, round: BatchRound, { batch, plan }: Planned): Promise<void> {
  const { batches } = store.cases;
  const fields = await batches.find(batch.batch_id);
  const last = Number(fields?.["last_ms"] ?? now() - 1000 / plan.rate_per_second);
  const credit = Math.min(now() - last, CATCH_UP_MS) / 1000;
  const position = batch.decided + batch.refused;
  const end = batch.state === "canary" ? Math.min(plan.canary, batch.total) : batch.total;
  const allowed = Math.min(Math.floor(credit * plan.rate_per_second), end - position);
  const ids = allowed > 0 ? await batches.cases(batch.batch_id, { from: position, limit: allowed }) : [];
  let { decided, refused } = batch;
  for (const id of ids) {
    // A person may have stopped it meanwhile.
    if ((await batches.find(batch.batch_id))?.["state"] === "stopped") return;
    const result = await decideOne(store, round, { plan, caseId: id });
    // The discard to revert is not carried out yet; the next round tries again.
    if (result === "later") return;
    if (result === "decided") decided += 1;
    else refused += 1;
    crashPoint("W18:after_decision_before_count");
    await batches.set(batch.batch_id, {
      decided: String(decided),
      refused: String(refused),
      last_ms: String(now()),
    });
  }
  if (decided + refused >= batch.total) {
    await moveBatch(store, batch, "done");
    await markBatchEnded(store, batch.batch_id);
  } else if (batch.state === "canary" && decided + refused >= end) await moveBatch(store, batch, "look");
}

/** @returns `refused` if the case is in another state; `later` while the discard to revert is in progress. */
async function decideOne(
  store: Store,
  { keyring }: BatchRound,
  { plan, caseId }: { readonly plan: BatchPlan; readonly caseId: string },
): Promise<"decided" | "refused" | "later"> {
  const { decision, by, person, why, batch_id } = plan;
  const stored = await store.cases.find(caseId);
  if (stored === null) return "refused";
  // Decided in an earlier round that crashed before it recorded that.
  if (new CaseRecord(stored).messagesAt(batch_id) !== null) return "decided";
  const pending = toWardCase(stored).decision;
  if (pending?.batch_id === batch_id) return "decided";
  if (pending !== null && pending.batch_id === plan.undoes) return "later";
  try {
    const request = { case_id: caseId, decision, by, person, why, batch_id, signer: "surgeon" } as const;
    await decide({ store, keyring }, request);
    return "decided";
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    return "refused";
  }
}

/** Advances the state; a person's stop wins. */
async function moveBatch(store: Store, batch: Batch, state: Batch["state"]): Promise<void> {
  await store.cases.batches.move(batch.batch_id, { from: batch.state, to: state, atMs: now() });
}

/** Verifies further decided cases; publishes the counts after the last one. */
async function verify(store: Store, batch: Batch): Promise<void> {
  const { batches } = store.cases;
  const end = batch.decided + batch.refused;
  const fields = (await batches.find(batch.batch_id)) ?? {};
  const from = Number(fields["walk"] ?? 0);
  const tally = new Map<DischargeResult, number>();
  const ids = await batches.cases(batch.batch_id, {
    from,
    limit: Math.min(VERIFIED_PER_ROUND, Math.max(0, end - from)),
  });
  for (const id of ids) {
    const messages = await messagesWhenDecided(store, batch.batch_id, id);
    // Cases that someone else decided before do not count for this batch.
    if (messages === "refused") continue;
    const result = messages === "gone" ? "ended" : await verifyDischarge(store, { caseId: id, messages });
    tally.set(result, (tally.get(result) ?? 0) + 1);
  }
  const sums = Object.fromEntries(
    (["went_on", "died_again", "ended"] as const).map((result) => [
      result,
      Number(fields[`walk_${result}`] ?? 0) + (tally.get(result) ?? 0),
    ]),
  );
  const isThrough = from + ids.length >= end;
  const walked = Object.entries(sums).map(([result, sum]) => [
    `walk_${result}`,
    isThrough ? "0" : String(sum),
  ]);
  await batches.set(batch.batch_id, {
    walk: isThrough ? "0" : String(from + ids.length),
    ...Object.fromEntries(walked),
    ...(isThrough
      ? {
          went_on: String(sums["went_on"]),
          died_again: String(sums["died_again"]),
          left_behind: String(sums["ended"]),
        }
      : {}),
  });
}
