import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunCounts, RunStatus } from "#shared/store/runs";
import { auditRuns } from "#shared/store/upkeep";
import { deleteUnder, filePrefix, testRedisUrl } from "#shared/testing";
import { Machine, SLOTS } from "./machine.ts";
import { happen } from "./operations.ts";
import type { Happening, OPERATIONS } from "./operations.ts";
import { moveOneCase } from "./settlements.ts";
import { settle, take } from "./work.ts";

const ROUNDS_MAX = 100;

/**
 * Plays a sequence of happenings, then lets everything come to rest without trouble, and holds all against the model.
 *
 * @param how.isWatched - Also holds every run against the model after each happening.
 */
async function runSequence(
  machine: Machine,
  sequence: readonly Happening[],
  how: { readonly isWatched: boolean },
): Promise<void> {
  await machine.begin();
  const before = await machine.store.runs.counts();
  let seen = new Map<string, RunStatus>();
  for (const one of sequence) {
    await happen(machine, one);
    if (how.isWatched) seen = await checkRuns(machine, { seen, mayReopen: mayReopen(one.what) });
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

/** What may restore a discarded message. Its news may also come late, by a relay. */
const REOPENING: ReadonlySet<Happening["what"]> = new Set([
  "moveCase",
  "overtake",
  "relay",
  "deliverAgain",
  "tellOnly",
]);

function mayReopen(what: Happening["what"]): boolean {
  return REOPENING.has(what);
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

/** No more faults: relays relay, workers complete, the surgeon heals, a person releases. It must end, and soon. */
async function comeToRest(machine: Machine): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    let isMoving = false;
    const relayed = await Promise.all(SLOTS.map((slot) => machine.settlement.relay(slot, 0)));
    isMoving = relayed.some((count) => count > 0);
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

const PLAIN_END = { ending: { kind: "completed" }, cost: 1, isFinished: true, isForgetting: true } as const;

async function emptyWard(machine: Machine): Promise<boolean> {
  let isMoving = false;
  for (const caseId of machine.cases) {
    const from = await machine.store.cases.get(caseId);
    if (!["admitted", "in_surgery", "quarantined"].includes(from.status)) continue;
    isMoving = true;
    const { agent = "", run_id = "" } = from.fields;
    const isCancelled = await machine.store.cases.isRunCancelled(agent, run_id);
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

describe("the machine of a run", () => {
  const LANES = 16;

  /** Sequences of each lane: 640 in all, for every day. `RUN_MACHINE_RUNS=640` makes it more than ten thousand. */
  const RUNS_OF_A_LANE = 40;

  /** Of so many sequences, one is held against the model after each happening and not only at its end. */
  const WATCHED_EVERY = 4;

  /** How often of all happenings each is drawn. */
  const WEIGHTS: Readonly<Record<keyof typeof OPERATIONS, number>> = {
    accept: 6,
    relay: 14,
    deliverAgain: 6,
    tellOnly: 3,
    takeJob: 18,
    step: 5,
    settleOne: 20,
    crash: 6,
    evict: 3,
    moveCase: 12,
    upkeep: 2,
    cancel: 3,
    cancelLate: 2,
    overtake: 4,
    takeBack: 3,
    sweep: 2,
  };

  // The keys of a constant record.
  const names = Object.keys(WEIGHTS) as (keyof typeof OPERATIONS)[];

  const happening: fc.Arbitrary<Happening> = fc.record({
    what: fc.oneof(...names.map((what) => ({ weight: WEIGHTS[what], arbitrary: fc.constant(what) }))),
    who: fc.nat({ max: 20 }),
    how: fc.nat({ max: 59 }),
    trouble: fc.oneof(
      { weight: 7, arbitrary: fc.constant("none" as const) },
      { weight: 2, arbitrary: fc.constant("dying" as const) },
      { weight: 1, arbitrary: fc.constant("twice" as const) },
    ),
  });

  const FIRST: Happening = { what: "accept", who: 0, how: 1, trouble: "none" };

  const story = fc
    .array(happening, { minLength: 4, maxLength: 20, size: "max" })
    .map((rest) => [FIRST, ...rest]);

  const opened: { machine: Machine; prefix: string }[] = [];

  function openMachine(handover: "together" | "outbox"): Machine {
    const prefix = filePrefix();
    const machine = new Machine({ url: testRedisUrl(), prefix, handover });
    opened.push({ machine, prefix });
    return machine;
  }

  afterAll(async () => {
    for (const { machine, prefix } of opened) {
      await machine.store.close();
      await deleteUnder(prefix);
    }
  }, 300_000);

  it("does what the plain model says, whatever happens in whatever order, and loses nothing", async () => {
    let runs = 0;
    const seed = Number(process.env["RUN_MACHINE_SEED"] ?? 20_260_101);
    const count = Number(process.env["RUN_MACHINE_RUNS"] ?? RUNS_OF_A_LANE);
    await Promise.all(
      Array.from({ length: LANES }, async (_, lane) => {
        const machine = openMachine(lane % 2 === 0 ? "together" : "outbox");
        await fc.assert(
          fc.asyncProperty(story, fc.nat({ max: WATCHED_EVERY - 1 }), async (sequence, nth) => {
            runs += 1;
            await runSequence(machine, sequence, { isWatched: nth === 0 });
          }),
          { numRuns: count, seed: seed + lane },
        );
      }),
    );
    // More under `npm run fuzz`.
    expect(runs).toBeGreaterThanOrEqual(LANES * count);
  }, 1_800_000);
});
