import { now, uuidv7 } from "#shared/clock";
import { SURGEON_ID } from "#shared/envelope";
import { retireJobs } from "#shared/store/upkeep";
import type { CaseStatus, StoredCase } from "#shared/store/cases";
import { discardCase, quarantineCase, restartCase } from "#shared/ward/moves";
import { groupBatches } from "#shared/ward/decisions";
import { toWardCase } from "#shared/ward";
import { wakeStaleParked } from "../propose/model-slots.ts";
import type { Surgery } from "../surgery.ts";
import { faultsOf, readContext } from "../cases/case.ts";
import { triage } from "../propose/free-procedures.ts";
import { tryFreeProcedures } from "../propose/run-ladder.ts";

/** Statuses in which a case may wait for a job, for a cancelled run's end, or for a decision to be carried out. */
const WATCHED: readonly CaseStatus[] = ["admitted", "in_surgery", "quarantined", "discarded"];

/** Maximum cases of each status checked in one round. */
const ROUND = 100;

/** Maximum cases deleted in one round. */
const FORGOTTEN_MAX = 1000;

/** Repairs a shard's ward in rounds: parked and lost cases, cancelled runs, retention. Several processes may. */
export function openUpkeep(surgery: Surgery): () => Promise<void> {
  const { store, limits, recipeCache } = surgery;
  const offsets = new Map<CaseStatus, number>();
  /** Checks one page of a status. The next round continues behind it. */
  const checkCases = async (status: CaseStatus): Promise<void> => {
    const from = offsets.get(status) ?? 0;
    const ids = await store.cases.idsOf({ kind: "status", status }, { from, limit: ROUND });
    offsets.set(status, ids.length < ROUND ? 0 : from + ROUND);
    const found = await Promise.all(ids.map((id) => store.cases.findHead(id)));
    for (const stored of found) if (stored?.status === status) await attend(surgery, stored);
  };
  return async () => {
    await wakeStaleParked(surgery);
    for (const status of WATCHED) await checkCases(status);
    if (!surgery.archive) await store.leavingCases.forget(now() - limits.retentionMs, FORGOTTEN_MAX);
    await retireJobs(store, "ward", "ward");
    await recipeCache.refresh();
  };
}

/** Moves a shard's closed cases to the archive, where there is one. It may be slow, and holds up no other upkeep. */
export function openCaseMoves({ archive, store, limits }: Surgery): () => Promise<unknown> {
  const mover = archive?.caseMoverOf(store);
  return async () => mover?.round(now() - limits.retentionMs);
}

async function attend({ store, limits }: Surgery, stored: StoredCase): Promise<unknown> {
  const one = toWardCase(stored);
  await store.ledger.remember(one.agent, one.message_id);
  const isWaiting = one.status === "admitted" || one.status === "quarantined";
  if (isWaiting && (await store.runs.isCancelled(one.run_id))) {
    const why = "Its run was cancelled.";
    return discardCase(store, { from: stored, by: SURGEON_ID, why, end: "cancelled" });
  }
  const needsJob = one.status === "admitted" || one.status === "in_surgery" || one.decision !== null;
  if (!needsJob || now() - one.updated_ms < limits.jobMissingMs) return;
  if (one.job_id !== null && (await store.cases.hasLiveJob(one.job_id))) return;
  if (one.restarts < limits.crashesMax || one.status === "discarded")
    return restartCase(store, stored, "its job was lost");
  const diagnosis = `The surgeon's job was lost ${one.restarts} times.`;
  return quarantineCase(store, { from: stored, by: SURGEON_ID, diagnosis, operation: null });
}

/** Lease of the leading surgeon, in ms; renewed with every round. */
const LEAD_MS = 10_000;

/** Returns a round of people's decisions on whole groups, over the cases of all shards. */
export function openGroupWork(surgery: Surgery): () => Promise<void> {
  const { store, limits } = surgery;
  const runner = groupBatches(store, (stored, decision) => wouldPass(surgery, stored, decision));
  const instance = uuidv7();
  return async () => {
    if (await store.cases.batches.lead(instance, LEAD_MS)) await runner.round(limits.retentionMs);
  };
}

/** Returns for a dry run whether free procedures would heal it (`operate`), or its contract holds (`release`). */
async function wouldPass(
  surgery: Surgery,
  stored: StoredCase,
  decision: "operate" | "release",
): Promise<boolean> {
  const context = readContext(surgery, stored);
  if (context === null) return false;
  if (decision === "release") return faultsOf(context).length === 0;
  if (context.message.doubt !== null) return false;
  const judged = triage(context);
  if (judged.kind !== "operate") return judged.kind === "resend";
  return (await tryFreeProcedures(surgery, context)).kind === "healed";
}
