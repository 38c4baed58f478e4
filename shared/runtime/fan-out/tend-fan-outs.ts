import { now } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { ENDED_STATUSES } from "#shared/store";
import type { FanOutRecord, FiredBy } from "#shared/store";
import type { Workplace } from "../delivery.ts";
import { deliverFollowing } from "./deliver-following.ts";
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

/**
 * Looks after the fan-outs that this agent joins: sees branches that will never come back, starts others in the place
 * of those that wait in the ward, and lets a join go whose time is over or whose run is being cancelled.
 *
 * @returns how many it looked at.
 */
export async function tendFanOuts(place: Workplace): Promise<number> {
  const { store, agent } = place;
  let tended = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const due = await store.fanOuts.takeDue(agent.name, { leaseMs: LEASE_MS, limit: TAKEN_AT_ONCE });
    for (const fanOutId of due) await tend(place, fanOutId);
    tended += due.length;
    if (due.length < TAKEN_AT_ONCE || place.stopping.aborted) break;
  }
  return tended;
}

async function tend(place: Workplace, fanOutId: string): Promise<void> {
  const { store, agent } = place;
  const record = await store.fanOuts.find(agent.name, fanOutId);
  const run = record === null ? null : await store.runs.find(record.runId);
  if (record === null || run === null || ENDED_STATUSES.includes(run.status)) {
    await store.fanOuts.retire(agent.name, fanOutId, store.options.ledgerLifeMs);
    return;
  }
  const isFired = record.firedBy !== null;
  const entry = await store.fanOuts.tend(agent.name, {
    record,
    sights: isFired ? [] : await lookAtBranches(place, record),
    force: isFired ? null : await reasonToForce(place, record),
    lookAgainMs: isFired ? LOOK_MS_MAX : nextLookMs(record),
  });
  if (entry === null) return;
  crashPoint("W21:after_tend_before_release");
  await deliverFollowing(place, entry);
}

async function lookAtBranches({ store }: Workplace, record: FanOutRecord) {
  const messages = await store.runs.messages(record.runId);
  const sights = observeBranches(record, { messages, events: [] });
  if (!sights.some(({ state }) => state === "failed")) return sights;
  const events = await store.runs.events(record.runId, { from: -EVENTS_READ, limit: EVENTS_READ });
  return observeBranches(record, { messages, events });
}

/** A join that is let go by these is refused by its agent, which ends the run as it ends any other. */
async function reasonToForce({ store, agent }: Workplace, record: FanOutRecord): Promise<FiredBy | null> {
  if (record.expiresMs !== null && now() >= record.expiresMs) return "expired";
  return (await store.runs.isCancelled(agent.name, record.runId)) ? "cancelled" : null;
}

function nextLookMs({ openedMs }: FanOutRecord): number {
  return Math.min(Math.max((now() - openedMs) * AGE_SHARE, LOOK_MS_MIN), LOOK_MS_MAX);
}
