import { now } from "#shared/clock";
import type { Store } from "#shared/store";
import type { BranchFailure, BranchSight, FanOutRecord, FiredBy } from "#shared/store/fan-outs";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunEvent, RunMessage } from "#shared/store/runs";

/** Fan-outs leased at once; a turn continues until none is due. */
const TAKEN_AT_ONCE = 20;
/** Maximum rounds of one turn; the rest is due in the next one. */
const ROUNDS_MAX = 20;

/** Lease of a fan-out during its check, in ms. If this process crashes, it is due again after that. */
const LEASE_MS = 10_000;

/** Delay of a fan-out's next check as a share of its age, and its limits in ms. */
const AGE_SHARE = 0.25;
const LOOK_MS_MIN = 1000;
const LOOK_MS_MAX = 60_000;

/** Number of a run's latest events read to find the reasons of failed branches. */
const EVENTS_READ = 1000;

/** A process that tends the fan-outs of one joining agent. */
interface FanOutKeeper {
  readonly store: Store;
  /** The joining agent. */
  readonly slot: string;
  readonly stopping: AbortSignal;
}

/** Fails dead branches, starts others for those in the ward, starts due joins. @returns The number checked. */
export async function tendFanOuts(keeper: FanOutKeeper): Promise<number> {
  const { store, slot, stopping } = keeper;
  let tended = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const due = await store.fanOuts.takeDue(slot, { leaseMs: LEASE_MS, limit: TAKEN_AT_ONCE });
    for (const fanOutId of due) await tend(keeper, fanOutId);
    tended += due.length;
    if (due.length < TAKEN_AT_ONCE || stopping.aborted) break;
  }
  return tended;
}

async function tend(keeper: FanOutKeeper, fanOutId: string): Promise<void> {
  const { store, slot } = keeper;
  const record = await store.fanOuts.find(slot, fanOutId);
  const run = record === null ? null : await store.runs.find(record.runId);
  if (record === null || run === null || ENDED_STATUSES.includes(run.status)) {
    await store.fanOuts.retire(slot, fanOutId, store.options.ledgerLifeMs);
    return;
  }
  const isFired = record.firedBy !== null;
  let seen = {
    record,
    sights: isFired ? [] : await lookAtBranches(store, record),
    force: isFired ? null : await reasonToForce(store, record),
    lookAgainMs: isFired ? LOOK_MS_MAX : nextLookMs(record),
  };
  // One script starts some branches; a wide window takes several.
  while ((await store.fanOuts.tend(slot, seen)) && !keeper.stopping.aborted) seen = { ...seen, sights: [] };
}

async function lookAtBranches(store: Store, record: FanOutRecord) {
  const messages = await store.runs.messages(record.runId);
  const sights = observeBranches(record, { messages, events: [] });
  if (!sights.some(({ state }) => state === "failed")) return sights;
  const events = await store.runs.events(record.runId, { from: -EVENTS_READ, limit: EVENTS_READ });
  return observeBranches(record, { messages, events });
}

/** Reasons for which the join is refused by its agent, which ends the run as usual. */
async function reasonToForce(store: Store, record: FanOutRecord): Promise<FiredBy | null> {
  const { runId, expiresMs } = record;
  if (expiresMs !== null && now() >= expiresMs + store.restores.extensionMs(runId)) return "expired";
  return (await store.runs.isCancelled(record.runId)) ? "cancelled" : null;
}

function nextLookMs({ openedMs }: FanOutRecord): number {
  return Math.min(Math.max((now() - openedMs) * AGE_SHARE, LOOK_MS_MIN), LOOK_MS_MAX);
}

/** Messages of one branch in the run's record. */
interface Seen {
  open: number;
  parked: number;
  readonly closed: string[];
}

/** Returns changed states of unanswered branches; one has ended when its messages are all closed. Pure. */
function observeBranches(
  record: FanOutRecord,
  run: { readonly messages: readonly RunMessage[]; readonly events: readonly RunEvent[] },
): BranchSight[] {
  const seen = surveyOf(record, run.messages);
  return record.states.flatMap((state, index): BranchSight[] => {
    if (state !== "started" && state !== "parked") return [];
    const branch = seen.get(index);
    if (branch === undefined) return [];
    const present = branch.open > 0 ? "started" : branch.parked > 0 ? "parked" : "failed";
    if (present === state) return [];
    const failure = present === "failed" ? failureOf(branch.closed, run.events) : null;
    return [{ index, state: present, failure }];
  });
}

function surveyOf(record: FanOutRecord, messages: readonly RunMessage[]): ReadonlyMap<number, Seen> {
  const prefix = `${record.fanOutId}/`;
  const survey = new Map<number, Seen>();
  for (const { branch, state, message_id } of messages) {
    if (branch?.startsWith(prefix) !== true) continue;
    const index = Number(branch.slice(prefix.length));
    const seen = survey.get(index) ?? { open: 0, parked: 0, closed: [] };
    survey.set(index, seen);
    if (state === "open") seen.open += 1;
    else if (state === "closed") seen.closed.push(message_id);
    else seen.parked += 1;
  }
  return survey;
}

function failureOf(closed: readonly string[], events: readonly RunEvent[]): BranchFailure {
  const ids = new Set(closed);
  const last = events.findLast(
    ({ message_id, type }) => message_id !== null && ids.has(message_id) && ENDS.has(type),
  );
  if (last?.type === "completed") return { reason: "elsewhere" };
  const code = last?.detail["code"];
  return { reason: "ended", ...(typeof code === "string" ? { code } : {}) };
}

const ENDS: ReadonlySet<RunEvent["type"]> = new Set(["ended", "discarded", "completed"]);
