import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameOf, planFaults } from "./fault-plan.ts";

const OPTIONS = { lengthMs: 60_000, gapMs: { min: 400, max: 1100 }, isLong: false };

describe("a fault plan", () => {
  it("is the same for the same seed and another for another", () => {
    expect(planFaults({ ...OPTIONS, seed: 5 })).toEqual(planFaults({ ...OPTIONS, seed: 5 }));
    expect(planFaults({ ...OPTIONS, seed: 5 })).not.toEqual(planFaults({ ...OPTIONS, seed: 6 }));
  });

  it("deals every fault there is before it deals one again", () => {
    const names = planFaults({ ...OPTIONS, seed: 5 }).map(nameOf);
    expect(new Set(names).size).toBeGreaterThanOrEqual(21);
    expect(names).toContain("kill agents-1");
    expect(names).toContain("redis_kill redis");
    expect(names).toContain("link lose_reply gateway-redis");
  });

  it("never strikes one target twice at once, whatever the seed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0 }), fc.boolean(), (seed, isLong) => {
        const plan = planFaults({ ...OPTIONS, seed, isLong });
        for (const [index, fault] of plan.entries()) {
          expect(fault.atMs).toBeLessThan(OPTIONS.lengthMs);
          const during = plan.slice(index + 1).filter((later) => later.atMs < fault.atMs + fault.durationMs);
          expect(during.map((later) => later.target)).not.toContain(fault.target);
        }
      }),
      { numRuns: 50 },
    );
  });
});
