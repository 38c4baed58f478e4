import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparePaired, toQuantiles, toShare } from "./trial.ts";

const counts = fc.record({
  both: fc.nat(200),
  onlyFirst: fc.nat(200),
  onlySecond: fc.nat(200),
  neither: fc.nat(200),
});

describe("a share of cases", () => {
  it.each([
    // Published values: Newcombe 1998 (a), table I, method 3.
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("of %i in %i has Wilson's interval", (right, of, low, high) => {
    const share = toShare(right, of);
    expect(share.low).toBeCloseTo(low, 4);
    expect(share.high).toBeCloseTo(high, 4);
  });

  it("lies within its interval, which is never empty and never leaves 0 to 1", () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), (right, wrong) => {
        const { share, low, high } = toShare(right, right + wrong);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(high).toBeGreaterThan(low);
        if (share !== null) expect(low <= share && share <= high).toBe(true);
      }),
    );
  });
});

describe("two ways to do the same cases", () => {
  it.each([
    // Published values: Newcombe 1998 (c), table II, method 10.
    [{ both: 36, onlyFirst: 12, onlySecond: 2, neither: 0 }, 0.2, 0.0569, 0.3404],
  ])("are compared as published for %j", (pairs, difference, low, high) => {
    const compared = comparePaired(pairs);
    expect(compared.difference).toBeCloseTo(difference, 4);
    expect(compared.low).toBeCloseTo(low, 4);
    expect(compared.high).toBeCloseTo(high, 4);
  });

  it("differ by chance where few cases tell them apart, however one-sided", () => {
    expect(comparePaired({ both: 40, onlyFirst: 3, onlySecond: 0, neither: 0 }).isSeen).toBe(false);
    expect(comparePaired({ both: 40, onlyFirst: 12, onlySecond: 0, neither: 0 }).isSeen).toBe(true);
    expect(comparePaired({ both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 }).isSeen).toBe(false);
  });

  it("are compared the same the other way round", () => {
    fc.assert(
      fc.property(counts, (one) => {
        const there = comparePaired(one);
        const back = comparePaired({ ...one, onlyFirst: one.onlySecond, onlySecond: one.onlyFirst });
        expect(back.difference).toBeCloseTo(-there.difference, 10);
        expect(back.low).toBeCloseTo(-there.high, 10);
        expect(back.isSeen).toBe(there.isSeen);
        expect(there.low <= there.difference && there.difference <= there.high).toBe(true);
      }),
    );
  });
});

it("takes quantiles by the nearest rank", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(toQuantiles(hundred)).toEqual({ p50: 50, p95: 95, p99: 99 });
  expect(toQuantiles([7])).toEqual({ p50: 7, p95: 7, p99: 7 });
  expect(toQuantiles([])).toBeNull();
});
