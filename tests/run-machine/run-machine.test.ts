import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { deleteUnder, filePrefix, testRedisUrl } from "#shared/testing";
import { Machine } from "./machine.ts";
import type { Happening, OPERATIONS } from "./operations.ts";
import { runSequence } from "./run-sequence.ts";

const LANES = 16;
/** Sequences of each lane: 640 in all, for every day. `RUN_MACHINE_RUNS=640` makes it more than ten thousand. */
const RUNS_OF_A_LANE = 40;
/** Of so many sequences, one is held against the model after each happening and not only at its end. */
const WATCHED_EVERY = 4;

/** Weight of each happening in a draw: 6 is drawn six times as often as 1. */
const WEIGHTS: Readonly<Record<keyof typeof OPERATIONS, number>> = {
  accept: 6,
  takeIn: 14,
  takeJob: 18,
  step: 5,
  settleOne: 20,
  crash: 6,
  evict: 3,
  moveCase: 12,
  upkeep: 2,
  cancel: 3,
  cancelLate: 2,
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

function openMachine(shard: number): Machine {
  const prefix = filePrefix();
  const machine = new Machine({ url: testRedisUrl(), prefix, shard });
  opened.push({ machine, prefix });
  return machine;
}

afterAll(async () => {
  for (const { machine, prefix } of opened) {
    await machine.store.close();
    await deleteUnder(prefix);
  }
}, 300_000);

describe("the machine of a run", () => {
  it("does what the plain model says, whatever happens in whatever order, and loses nothing", async () => {
    let runs = 0;
    const seed = Number(process.env["RUN_MACHINE_SEED"] ?? 20_260_101);
    const count = Number(process.env["RUN_MACHINE_RUNS"] ?? RUNS_OF_A_LANE);
    await Promise.all(
      Array.from({ length: LANES }, async (_, lane) => {
        const machine = openMachine(lane % 2);
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
