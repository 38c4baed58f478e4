import { expect } from "vitest";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunCounts, RunStatus } from "#shared/store/runs";
import { auditRuns } from "#shared/store/upkeep";
import type { Machine } from "./machine.ts";
import { happen } from "./operations.ts";
import type { Happening } from "./operations.ts";
import { moveOneCase } from "./ward-work.ts";
import { settle, take } from "./work.ts";

const ROUNDS_MAX = 100;

/** Plays happenings, lets all come to rest, and holds it against the model (`isWatched`: after each happening). */
export async function runSequence(
  machine: Machine,
  sequence: readonly Happening[],
  how: { readonly isWatched: boolean },
): Promise<void> {
  await machine.begin();
  const before = await machine.store.runs.counts();
  let seen = new Map<string, RunStatus>();
  for (const one of sequence) {
    await happen(machine, one);
    if (how.isWatched) seen = await checkRuns(machine, { seen, mayReopen: one.what === "moveCase" });
  }
  await checkConservation(machine, before);
  const hasCase = async (messageId: string): Promise<boolean> => hasOpenCase(machine, messageId);
  const { lost } = await auditRuns(machine.store, hasCase);
  const own = lost.filter(({ run_id }) => machine.runs.has(run_id));
  expect(own, "somebody holds every message").toEqual([]);
  await comeToRest(machine);
  await checkEnds(machine);
  await checkConservation(machine, before);
}

async function checkRuns(
  machine: Machine,
  told: { seen: ReadonlyMap<string, RunStatus>; mayReopen: boolean },
): Promise<Map<string, RunStatus>> {
  const ids = [...machine.runs.keys()];
  const records = await Promise.all(ids.map((runId) => machine.store.runs.get(runId)));
  for (const record of records) {
    const { model } = machine.run(record.run_id);
    const { status, messages } = record;
    const counted = [model.count("open"), model.count("in_ward"), model.count("quarantined")];
    expect(`${status}: ${messages.open} ${messages.in_ward} ${messages.quarantined}`).toBe(
      `${model.status}: ${counted.join(" ")}`,
    );
    const last = told.seen.get(record.run_id);
    const isLeft = last !== undefined && ENDED_STATUSES.includes(last) && last !== record.status;
    if (isLeft) expect({ last, mayReopen: told.mayReopen }).toEqual({ last: "failed", mayReopen: true });
  }
  return new Map(records.map((record) => [record.run_id, record.status]));
}

/** The counters of the equation, against the runs themselves. */
async function checkConservation(machine: Machine, before: RunCounts): Promise<void> {
  const after = await machine.store.runs.counts();
  const expected: Record<string, number> = { ...before };
  for (const { model } of machine.runs.values()) {
    expected["submitted"] = (expected["submitted"] ?? 0) + 1;
    expected[model.status] = (expected[model.status] ?? 0) + 1;
  }
  expect(after, "the counters say what the runs say").toEqual(expected);
  const { submitted, ...states } = after;
  expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(submitted);
}

async function hasOpenCase(machine: Machine, messageId: string): Promise<boolean> {
  for (const caseId of machine.cases) {
    const found = await machine.store.cases.find(caseId);
    const isOpen = found !== null && ["admitted", "in_surgery", "quarantined"].includes(found.status);
    if (isOpen && found.fields["message_id"] === messageId) return true;
  }
  return false;
}

/** No more faults: dead messages are taken in, workers complete, the surgeon heals. It must end, and soon. */
async function comeToRest(machine: Machine): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    let isMoving = false;
    for (const text of await machine.store.redis.lrange(machine.store.keys.inbox(), 0, -1)) {
      isMoving = true;
      await machine.takeIn(text);
    }
    for (const worker of machine.workers) {
      isMoving = true;
      await settle(machine, worker, PLAIN_END);
    }
    for (const job of [...machine.jobsIn("waiting"), ...machine.jobsIn("held")]) {
      isMoving = true;
      if (job.state === "held") await machine.stall(job);
      await take(machine, job, { isAccepting: true, isNoticed: false });
    }
    isMoving = (await emptyWard(machine)) || isMoving;
    if (!isMoving) return;
  }
  expect.fail("the machine never comes to rest");
}

const PLAIN_END = { ending: { kind: "completed" }, cost: 1, isFinished: true } as const;

async function emptyWard(machine: Machine): Promise<boolean> {
  let isMoving = false;
  for (const caseId of machine.cases) {
    const from = await machine.store.cases.get(caseId);
    if (!["admitted", "in_surgery", "quarantined"].includes(from.status)) continue;
    isMoving = true;
    const { run_id = "" } = from.fields;
    const isCancelled = await machine.store.runs.isCancelled(run_id);
    await moveOneCase(machine, from, isCancelled ? "cancel" : "discharge");
  }
  return isMoving;
}

/** Every run is at the end that follows from what really happened, at the cost that was really paid. */
async function checkEnds(machine: Machine): Promise<void> {
  for (const [runId, run] of machine.runs) {
    const record = await machine.store.runs.get(runId);
    const own = [...machine.messages.values()].filter((message) => message.runId === runId);
    const failed = run.failed > 0 ? "failed" : run.expired > 0 ? "expired" : "completed";
    const expected = run.isCancelled ? "cancelled" : failed;
    expect(record.status).toBe(run.isCancelledLate ? run.model.status : expected);
    expect(record.messages).toEqual({ open: 0, in_ward: 0, quarantined: 0 });
    expect(Math.round(record.cost * 1e6)).toBe(own.reduce((sum, message) => sum + message.costMicro, 0));
    expect(record.tokens).toBe(own.reduce((sum, message) => sum + message.tokens, 0));
  }
  const { store } = machine;
  await Promise.all(
    [...machine.messages].map(async ([messageId, truth]) => {
      const outcome = await store.redis.hget(store.keys.ledger(truth.agent, messageId), "outcome");
      expect(outcome, "one outcome, for ever").toBe(truth.final);
    }),
  );
}
