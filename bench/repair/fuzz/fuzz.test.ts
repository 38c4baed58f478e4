import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validate } from "#shared/schema";
import { corpusCases, isHeldOut, ownCases, SPLITS } from "../case.ts";
import { Draw } from "../seeded.ts";
import { findBrokenLaw } from "./laws.ts";
import { makeText, readGround } from "./make-text.ts";

describe("the repair corpus", () => {
  test("has at least 600 cases, each with a name of its own, and holds about a third out", () => {
    const cases = ownCases();
    const share = cases.filter(isHeldOut).length / cases.length;
    expect(cases.length).toBeGreaterThanOrEqual(600);
    expect(new Set(cases.map((one) => one.id)).size).toBe(cases.length);
    expect(share).toBeGreaterThan(0.28);
    expect(share).toBeLessThan(0.39);
  });

  test("has right values that fit their contracts, and names of its own in every split", () => {
    const cases = corpusCases();
    const unfit = cases.filter(
      ({ right, schema }) => "value" in right && validate(right.value, schema ?? {}).length > 0,
    );
    expect(unfit.map((one) => one.id)).toEqual([]);
    expect(new Set(cases.map((one) => one.id)).size).toBe(cases.length);
    expect(new Set(cases.map((one) => one.split))).toEqual(new Set(SPLITS));
  });

  // Millions with `npm run fuzz -- --times 1000 --seconds 3600 bench/repair/fuzz/fuzz.test.ts`.
  test("keeps first aid to its laws on three thousand mutated texts", { timeout: 60_000 }, () => {
    const ground = readGround();
    const isKept = fc.property(fc.nat(), (seed) => {
      const draw = new Draw(seed);
      for (let made = 0; made < 500; made += 1) {
        const one = makeText(draw, ground);
        expect({ law: findBrokenLaw(one), ...one }).toEqual({ law: undefined, ...one });
      }
    });
    fc.assert(isKept, { numRuns: 6 });
  });
});
