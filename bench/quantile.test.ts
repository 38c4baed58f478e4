import { describe, expect, it } from "vitest";
import { median, quantile } from "./quantile.ts";

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
