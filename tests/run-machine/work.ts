import { expect } from "vitest";
import { derivedId, timestamp } from "#shared/clock";
import { LockLostError } from "#shared/store";
import type { Committed, LedgerRecord } from "#shared/store/ledger";
import { AGENTS } from "./machine.ts";
import type { Job, Machine, Worker } from "./machine.ts";
import { eventOf, settlementOf } from "./settlements.ts";
import type { Ending, Settlement } from "./settlements.ts";

const NOTHING: LedgerRecord = {
  acceptedAt: null,
  requeues: 0,
  billed: { costMicro: 0, tokens: 0 },
  steps: new Map(),
};

/** A worker takes a job: the ledger says whether its handler runs, and must never say yes a second time. */
export async function take(
  machine: Machine,
  job: Job,
  how: { isAccepting: boolean; isNoticed: boolean },
): Promise<void> {
  const { store } = machine;
  const truth = machine.message(job.messageId);
  const token = machine.fresh("token");
  await store.redis.set(`${machine.jobKey(job)}:lock`, token);
  await store.redis.hincrby(machine.jobKey(job), "ats", 1);
  Object.assign(job, { state: "held", token, wasStarted: true });
  const hold = {
    agent: job.agent,
    queue: job.lane === "retry" ? `${job.agent}.retry` : job.agent,
    jobId: job.jobId,
    token,
    messageId: job.messageId,
    runId: truth.runId,
    digest: `digest-${job.messageId}`,
  };
  // A first delivery is begun without asking: the engine's script saw that the ledger knew nothing.
  const isUnheard =
    truth.final === null && !truth.isAccepted && truth.deliveries.size + truth.steps.size === 0;
  if (isUnheard && how.isAccepting && !how.isNoticed && !machine.run(truth.runId).isCancelled) {
    machine.workers.push({ job, hold, record: NOTHING, mustCancel: false });
    return;
  }
  const beginning = await store.ledger.begin(hold, {
    at: timestamp(),
    accepts: how.isAccepting,
    stalls: 0,
    mayBeBegunBefore: job.lane === "fresh",
  });
  const settled = truth.final ?? truth.deliveries.get(job.jobId);
  if (settled !== undefined) {
    expect(beginning, "what is settled is replayed").toEqual({ kind: "replay", outcome: settled });
    await machine.finish(job);
    return;
  }
  expect(beginning.kind).toBe(machine.run(truth.runId).isCancelled ? "cancelled" : "go");
  const record = "record" in beginning ? beginning.record : NOTHING;
  expect(record.requeues, "requeues only grow, by the commits that made them").toBe(truth.deliveries.size);
  expect(record.billed).toEqual({ costMicro: truth.costMicro, tokens: truth.tokens });
  expect(record.steps, "no step is lost or overwritten").toEqual(truth.steps);
  if (beginning.kind === "go" && how.isAccepting) truth.isAccepted = true;
  machine.workers.push({ job, hold, record, mustCancel: beginning.kind === "cancelled" });
  if (!how.isNoticed || beginning.kind !== "go") return;
  const id = derivedId(job.messageId, job.jobId, "accepted");
  const event = eventOf({ ...truth, messageId: job.messageId }, id, "accepted");
  await store.journal.apply([{ event, starts: true }]);
}

/** Returns true if this worker still has its job, by the engine. */
function holds({ job, hold }: Worker): boolean {
  return job.state === "held" && job.token === hold.token;
}

/** A step's result: the first that was written stands, and a zombie writes none. */
export async function recordStep(machine: Machine, worker: Worker, name: string): Promise<void> {
  const truth = machine.message(worker.job.messageId);
  const result = machine.fresh("result");
  const written = await orLockLost(machine.store.ledger.recordStep(worker.hold, { name, result }));
  const known = truth.steps.get(name);
  if (known !== undefined) expect(written).toBe(known);
  else if (!holds(worker)) expect(written).toBe("lock lost");
  else {
    expect(written).toBe(result);
    truth.steps.set(name, result);
  }
}

/** A worker settles: the fence, the outcome that is there, and the run's cancellation decide what comes of it. */
export async function settle(
  machine: Machine,
  worker: Worker,
  how: { ending: Ending; cost: number; isFinished: boolean },
): Promise<void> {
  const { job } = worker;
  const truth = machine.message(job.messageId);
  const isHolding = holds(worker);
  const ending: Ending = worker.mustCancel ? { kind: "cancelled" } : how.ending;
  const settlement = settlementOf(
    {
      runId: truth.runId,
      messageId: job.messageId,
      jobId: job.jobId,
      agent: job.agent,
      requeues: worker.record.requeues,
      spent: { costMicro: how.cost, tokens: how.cost },
      next: AGENTS[truth.hop % AGENTS.length] ?? AGENTS[0],
    },
    ending,
  );
  const outcome = JSON.stringify({ kind: ending.kind, by: machine.fresh("outcome") });
  const committed = await orLockLost(commit(machine, worker, { settlement, outcome, ...how }));
  // A final outcome is held against a final one; against a mere delivery's, the fence decides.
  const settled =
    truth.final ?? (settlement.scope === "delivery" ? truth.deliveries.get(job.jobId) : undefined);
  machine.workers = machine.workers.filter((one) => one !== worker);
  if (settled !== undefined) {
    expect(committed, "one outcome").toEqual({ kind: "settled_before", outcome: settled });
  } else if (!isHolding) {
    expect(committed, "a zombie commits nothing").toBe("lock lost");
  } else if (settlement.isCancellable && machine.run(truth.runId).isCancelled) {
    expect(committed, "a cancelled run overrides").toEqual({ kind: "cancelled" });
    return settle(machine, { ...worker, mustCancel: true }, how);
  } else {
    const isResent = machine.trouble.isTwice;
    expect(committed).toEqual(isResent ? { kind: "settled_before", outcome } : { kind: "committed" });
    noteOutcome(machine, worker, { settlement, outcome, ending, cost: how.cost });
  }
  if (isHolding) await (how.isFinished ? machine.finish(job) : machine.stall(job));
}

function commit(
  machine: Machine,
  worker: Worker,
  what: { settlement: Settlement; outcome: string; cost: number },
): Promise<Committed> {
  const { billed } = worker.record;
  const decision = machine.store.ledger.decide(worker.hold, {
    scope: what.settlement.scope,
    outcome: what.outcome,
    effects: what.settlement.entry,
    cancellable: what.settlement.isCancellable,
    billed: { costMicro: billed.costMicro + what.cost, tokens: billed.tokens + what.cost },
    timeLeftMs: 0,
  });
  return machine.store.settlement.settle(decision);
}

function noteOutcome(
  machine: Machine,
  { job }: Worker,
  settled: { settlement: Settlement; outcome: string; ending: Ending; cost: number },
): void {
  const { ending, settlement, outcome } = settled;
  const truth = machine.message(job.messageId);
  truth.costMicro += settled.cost;
  truth.tokens += settled.cost;
  if (settlement.scope === "final") truth.final = outcome;
  else truth.deliveries.set(job.jobId, outcome);
  const run = machine.run(truth.runId);
  if (ending.kind === "failed" || ending.kind === "expired") run[ending.kind] += 1;
  for (const { opens = [] } of settlement.entry.changes) {
    for (const child of opens) {
      machine.addMessage(child.message_id, {
        runId: truth.runId,
        agent: child.agent,
        hop: truth.hop + 1,
      });
    }
  }
}

async function orLockLost<Value>(asked: Promise<Value>): Promise<Value | "lock lost"> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof LockLostError) return "lock lost";
    throw error;
  }
}
