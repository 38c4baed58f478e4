import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawBars } from "./draw-bars.ts";
import { replaceFigures } from "./write-page.ts";
import { createScale } from "./scale.ts";

const figures = fc.array(fc.double({ min: 0.001, max: 1000, noNaN: true }), { minLength: 1, maxLength: 8 });

describe("the axis of the chart", () => {
  it("places each decade equally far on", () => {
    const { place, ticks } = createScale([0.1, 10], 200);
    expect([place(0.1), place(1), place(10)]).toEqual([0, 100, 200].map((at) => expect.closeTo(at, 9)));
    expect(ticks).toEqual([0.1, 0.2, 0.5, 1, 2, 5, 10]);
  });

  it("holds every figure in order between its marks, which are round", () => {
    fc.assert(
      fc.property(figures, (all) => {
        const { place, ticks } = createScale(all, 100);
        const sorted = all.toSorted((a, b) => a - b);
        const places = sorted.map(place);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(ticks[0]).toBeLessThanOrEqual(sorted[0] ?? 0);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(sorted.at(-1) ?? 0);
        expect(ticks.every((tick) => /^(?:0\.0*)?[125]0*$/.test(String(tick)))).toBe(true);
      }),
    );
  });

  it("refuses what has no logarithm", () => {
    expect(() => createScale([1, 0], 100)).toThrow(RangeError);
    expect(() => createScale([], 100)).toThrow(RangeError);
    expect(() => createScale([Number.NaN], 100)).toThrow(RangeError);
  });
});

describe("the chart", () => {
  it("draws a bar for each figure and lets no label break out of its text", () => {
    const bar = { figure: 0.5, range: [0.4, 0.6], isOurs: true } as const;
    const svg = drawBars("a < b", [
      { ...bar, label: '<script>"&' },
      { ...bar, label: "b", isOurs: false },
    ]);
    expect(svg.match(/<rect /g)).toHaveLength(2);
    expect(svg).toContain("&lt;script>&quot;&amp;");
    expect(svg).not.toContain("<script>");
  });
});

describe("the page", () => {
  it("changes only what stands between its marks, as often as one likes", () => {
    const page = "before\n<!-- figures -->\nold\n<!-- end of figures -->\nafter\n";
    const once = replaceFigures(page, "new $& $1");
    expect(once).toBe("before\n<!-- figures -->\n\nnew $& $1\n\n<!-- end of figures -->\nafter\n");
    expect(replaceFigures(once, "new $& $1")).toBe(once);
  });

  it("refuses a page without the marks", () => {
    expect(() => replaceFigures("nothing", "new")).toThrow(/figures/);
  });
});
