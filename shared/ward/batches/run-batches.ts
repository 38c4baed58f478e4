import { now } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { SutureError } from "#shared/errors";
import type { Store } from "#shared/store";
import type { StoredCase } from "#shared/store/cases";
import { messagesAt } from "../case-record.ts";
import { findBatches } from "./batch.ts";
import type { Batch } from "./batch.ts";
import { messagesWhenDecided } from "./batch-cases.ts";
import { decide } from "../decisions/decide.ts";
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
      return check(store, round, batch);
    case "canary":
    case "running":
      await proceed(store, batch);
      return verify(store, batch);
    case "planned":
      return stopAbandoned(store, round, batch);
    case "look":
      await stopAbandoned(store, round, batch);
      return verify(store, batch);
    case "done":
    case "stopped":
      if (now() - batch.changed_ms > round.retentionMs) return store.cases.batches.forget(batch.batch_id);
      return verify(store, batch);
    default:
      return batch.state satisfies never;
  }
}

/** Stops a batch that no person started or continued within the retention. It is deleted one retention later. */
async function stopAbandoned(store: Store, round: BatchRound, batch: Batch): Promise<void> {
  if (now() - batch.changed_ms > round.retentionMs) await moveBatch(store, batch, "stopped");
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

async function proceed(store: Store, batch: Batch): Promise<void> {
  const { batches } = store.cases;
  const { rate_per_second: rate } = batch;
  const fields = await batches.find(batch.batch_id);
  const last = Number(fields?.["last_ms"] ?? now() - 1000 / rate);
  const credit = Math.min(now() - last, CATCH_UP_MS) / 1000;
  const position = batch.decided + batch.refused;
  const end = batch.state === "canary" ? Math.min(batch.canary, batch.total) : batch.total;
  const allowed = Math.min(Math.floor(credit * rate), end - position);
  const ids = allowed > 0 ? await batches.cases(batch.batch_id, { from: position, limit: allowed }) : [];
  let { decided, refused } = batch;
  for (const id of ids) {
    // A person may have stopped it meanwhile.
    if ((await batches.find(batch.batch_id))?.["state"] === "stopped") return;
    const result = await decideOne(store, batch, { caseId: id, person: fields?.["person"] ?? null });
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
  if (decided + refused >= batch.total) await moveBatch(store, batch, "done");
  else if (batch.state === "canary" && decided + refused >= end) await moveBatch(store, batch, "look");
}

/** @returns `refused` if the case is in another state; `later` while the discard to revert is in progress. */
async function decideOne(
  store: Store,
  { decision, by, why, batch_id, undoes }: Batch,
  { caseId, person }: { readonly caseId: string; readonly person: string | null },
): Promise<"decided" | "refused" | "later"> {
  const stored = await store.cases.find(caseId);
  if (stored === null) return "refused";
  // Decided in an earlier round that crashed before it recorded that.
  if (messagesAt(stored, batch_id) !== null) return "decided";
  const pending = toWardCase(stored).decision;
  if (pending?.batch_id === batch_id) return "decided";
  if (pending !== null && pending.batch_id === undoes) return "later";
  try {
    await decide(store, { case_id: caseId, decision, by, person, why, batch_id });
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
