import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DECKS } from "./decks.ts";
import { nameOf } from "./fault.ts";
import { planFaults, victimOf } from "./plan-faults.ts";

const OPTIONS = {
  deck: "everyday",
  lengthMs: 20_000,
  gapMs: { min: 400, max: 1100 },
  isLong: false,
} as const;

// The keys of the table are its names.
const DECK_NAMES = Object.keys(DECKS) as (keyof typeof DECKS)[];

describe("a fault plan", () => {
  it("is the same for the same seed and another for another", () => {
    expect(planFaults({ ...OPTIONS, seed: 5 })).toEqual(planFaults({ ...OPTIONS, seed: 5 }));
    expect(planFaults({ ...OPTIONS, seed: 5 })).not.toEqual(planFaults({ ...OPTIONS, seed: 6 }));
  });

  it.each(DECK_NAMES)("deals every fault of a deck before it deals one again: %s", (deck) => {
    const { always, whenLong } = DECKS[deck];
    const plan = planFaults({ ...OPTIONS, deck, lengthMs: 200_000, isLong: true, seed: 5 });
    const wanted = [...always, ...whenLong].map((card) => nameOf({ ...card, atMs: 0, durationMs: 0 }));
    expect(new Set(plan.map(nameOf))).toEqual(new Set(wanted));
  });

  it("loses the reply of what was carried out on every link that there is", () => {
    // Long enough for the whole deck.
    const names = planFaults({ ...OPTIONS, lengthMs: 200_000, seed: 5 }).map(nameOf);
    for (const link of [
      "client-gateway",
      "gateway-redis",
      "agents-1-redis",
      "agents-2-redis",
      "surgeon-redis",
      "agents-outside",
    ]) {
      expect(names).toContain(`link lose_reply ${link}`);
    }
  });

  it("never strikes one victim twice at once, whatever the seed", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0 }),
        fc.boolean(),
        fc.constantFrom(...DECK_NAMES),
        (seed, isLong, deck) => {
          const plan = planFaults({ ...OPTIONS, seed, isLong, deck });
          for (const [index, fault] of plan.entries()) {
            expect(fault.atMs).toBeLessThan(OPTIONS.lengthMs);
            const during = plan
              .slice(index + 1)
              .filter((later) => later.atMs < fault.atMs + fault.durationMs);
            expect(during.map(victimOf)).not.toContain(victimOf(fault));
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});
