import { describe, expect, it } from "vitest";
import { planFaults } from "./fault-plan.ts";
import { runChaos } from "./run-chaos.ts";

/** One deck of every fault, on a machine that may be busy. The long form is `npm run chaos`. */
const SEED = 20_261;
const LENGTH_MS = 18_000;

describe("a chain of agents under every fault at once", () => {
  it("loses nothing, repeats no effect, and comes to rest when the faults are over", async () => {
    const told: string[] = [];
    const outcome = await runChaos({
      seed: SEED,
      plan: planFaults({ seed: SEED, lengthMs: LENGTH_MS, gapMs: { min: 400, max: 1100 }, isLong: false }),
      trafficMs: LENGTH_MS,
      perSecond: 8,
      workMs: 25_000,
      say: (line) => void told.push(line),
    });
    const report = [...told, ...outcome.problems, `seed ${SEED}; logs in ${outcome.folder}`].join("\n");
    expect(outcome.problems, report).toEqual([]);
    expect(outcome.figures.acked, report).toBeGreaterThan(50);
    // How many zombies come to try depends on the machine's pace: reported, not demanded here.
    expect(outcome.injected.length, report).toBeGreaterThan(5);
  }, 120_000);
});
