import { now } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import type { Store } from "#shared/store";
import type { FanOutRecord, FiredBy } from "#shared/store/fan-outs";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { Settlement } from "#shared/store/settlement";
import { observeBranches } from "./observe-branches.ts";

/** Fan-outs taken at once; a round goes on until none is due. */
const TAKEN_AT_ONCE = 20;
/** Rounds of one turn at most; the rest is due in the next one. */
const ROUNDS_MAX = 20;

/** How long a fan-out that is looked at is nobody else's, in ms. If this process dies over it, it is due again then. */
const LEASE_MS = 10_000;

/** A fan-out is looked at again after this share of its age, within these bounds in ms. */
const AGE_SHARE = 0.25;
const LOOK_MS_MIN = 1000;
const LOOK_MS_MAX = 60_000;

/** Events of a run that are read for the reasons of failed branches: the latest. */
const EVENTS_READ = 1000;

/** A process that looks after the fan-outs of one slot. */
interface FanOutKeeper {
  readonly store: Store;
  readonly settlement: Settlement;
  /** The agent that joins them; `runs` for those of isolated agents. */
  readonly slot: string;
  readonly stopping: AbortSignal;
}

/**
 * Looks after the fan-outs that a slot keeps: sees branches that will never come back, starts others in the place
 * of those that wait in the ward, and lets a join go whose time is over or whose run is being cancelled.
 *
 * @returns how many it looked at.
 */
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
    await store.fanOuts.retire(slot, record ?? { fanOutId, join: null }, store.options.ledgerLifeMs);
    return;
  }
  const isFired = record.firedBy !== null;
  const entry = await store.fanOuts.tend(slot, {
    record,
    sights: isFired ? [] : await lookAtBranches(store, record),
    force: isFired ? null : await reasonToForce(store, record),
    lookAgainMs: isFired ? LOOK_MS_MAX : nextLookMs(record),
  });
  if (entry === null) return;
  crashPoint("W21:after_tend_before_release");
  await keeper.settlement.deliver(slot, entry);
}

async function lookAtBranches(store: Store, record: FanOutRecord) {
  const messages = await store.runs.messages(record.runId);
  const sights = observeBranches(record, { messages, events: [] });
  if (!sights.some(({ state }) => state === "failed")) return sights;
  const events = await store.runs.events(record.runId, { from: -EVENTS_READ, limit: EVENTS_READ });
  return observeBranches(record, { messages, events });
}

/** A join that is let go by these is refused by its agent, which ends the run as it ends any other. */
async function reasonToForce(store: Store, record: FanOutRecord): Promise<FiredBy | null> {
  if (record.expiresMs !== null && now() >= record.expiresMs) return "expired";
  return (await store.runs.isCancelRequested(record.runId)) ? "cancelled" : null;
}

function nextLookMs({ openedMs }: FanOutRecord): number {
  return Math.min(Math.max((now() - openedMs) * AGE_SHARE, LOOK_MS_MIN), LOOK_MS_MAX);
}
