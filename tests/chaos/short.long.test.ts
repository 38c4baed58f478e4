import { describe, expect, it } from "vitest";
import { CHAPTERS } from "./plan/chapters.ts";
import type { ChapterName } from "./plan/chapters.ts";
import { planFaults } from "./plan/plan-faults.ts";
import { runChaos } from "./run-chaos.ts";

/** Short chapters, on a machine that may be busy. The long form, with all of them, is `npm run chaos`. */
const SEED = 20_261;

const SHORT: readonly (readonly [ChapterName, number])[] = [
  ["everyday", 14_000],
  ["cluster", 6000],
  ["shards", 8000],
];

describe("a chain of agents under every fault at once", () => {
  it.each(SHORT)("loses nothing, repeats no effect, and comes to rest: %s", async (name, trafficMs) => {
    const told: string[] = [];
    const chapter = CHAPTERS[name];
    const outcome = await runChaos({
      chapter,
      seed: SEED,
      plan: planFaults({
        seed: SEED,
        deck: chapter.deck,
        lengthMs: trafficMs,
        gapMs: { min: 300, max: 800 },
        isLong: false,
      }),
      trafficMs,
      perSecond: 8,
      settleMs: 60_000,
      say: (line) => void told.push(line),
    });
    const report = [...told, ...outcome.problems, `seed ${SEED}; logs in ${outcome.folder}`].join("\n");
    expect(outcome.problems, report).toEqual([]);
    expect(outcome.figures.acked, report).toBeGreaterThan(20);
    // The number of zombies depends on the machine's pace: demanded of the long form, reported here.
    expect(outcome.injected.length, report).toBeGreaterThan(3);
  });
});
