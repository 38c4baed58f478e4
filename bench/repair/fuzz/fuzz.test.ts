import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validate } from "#shared/schema";
import { corpusCases, isHeldOut, ownCases, SPLITS } from "../case.ts";
import { fuzz } from "./fuzz.ts";
import { readGround } from "./make-text.ts";

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

  test("keeps first aid to its laws on three thousand mutated texts", () => {
    const ground = readGround();
    const isKept = fc.property(fc.nat(), (seed) => {
      expect(fuzz({ texts: 500, seed, ground, isTimed: false }).broken).toEqual([]);
    });
    fc.assert(isKept, { numRuns: 6 });
  });
});
