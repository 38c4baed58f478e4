import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { median, quantile, toRatios, toSpread } from "./quantile.ts";

describe("quantiles", () => {
  it("sorts numbers as numbers", () => {
    expect(median([100, 9, 20])).toBe(20);
  });

  it("takes p99 of a hundred values from the top", () => {
    const values = Array.from({ length: 100 }, (_, index) => index);
    expect(quantile(values, 0.99)).toBe(99);
    expect(quantile(values, 1)).toBe(99);
  });

  it("says that nothing has no quantile", () => {
    expect(median([])).toBeNaN();
  });
});

describe("the spread of repeated measurements", () => {
  it("counts what is off by more than a tenth of the median", () => {
    const spread = toSpread([1, 1.05, 0.95, 1.2, 0.5]);
    expect(spread).toMatchObject({ count: 5, median: 1, min: 0.5, max: 1.2, off_by_a_tenth: 0.4 });
  });

  it("has the median between its quartiles and its ends, whatever was measured", () => {
    const figures = fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(figures, (values) => {
        const { min, p25, median: middle, p75, max } = toSpread(values);
        expect([min, p25, middle, p75, max]).toEqual([min, p25, middle, p75, max].toSorted((a, b) => a - b));
      }),
    );
  });
});

describe("ratios", () => {
  it("belong to pairs", () => {
    expect(toRatios([2, 9], [4, 3])).toEqual([0.5, 3]);
    expect(() => toRatios([1, 2], [1])).toThrow(RangeError);
  });
});
