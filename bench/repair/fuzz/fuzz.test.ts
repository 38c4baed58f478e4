import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allCases } from "../all-cases.ts";
import { isHeldOut } from "../case.ts";
import { fuzz } from "./fuzz.ts";
import { groundOf } from "./make-text.ts";

describe("the repair corpus", () => {
  test("has at least 600 cases, each with a name of its own, and holds about a third out", () => {
    const cases = allCases(1);
    const share = cases.filter(isHeldOut).length / cases.length;
    expect(cases.length).toBeGreaterThanOrEqual(600);
    expect(new Set(cases.map((one) => one.id)).size).toBe(cases.length);
    expect(share).toBeGreaterThan(0.28);
    expect(share).toBeLessThan(0.39);
  });

  test("is the same for the same seed", () => {
    expect(allCases(2)).toEqual(allCases(2));
  });

  test("keeps first aid to its laws on three thousand mutated texts", () => {
    const ground = groundOf(1);
    const isKept = fc.property(fc.nat(), (seed) => {
      expect(fuzz({ texts: 500, seed, ground, isTimed: false }).broken).toEqual([]);
    });
    fc.assert(isKept, { numRuns: 6 });
  });
});
