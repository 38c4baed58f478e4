import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normaliseVote } from "./majority-vote.ts";

describe("normaliseVote", () => {
  it.each([
    ["Urgent.", "urgent"],
    ["**URGENT!**", "urgent"],
    ["  very\n high ", "very high"],
    ["very-high", "Very_High"],
    ["‘low’", "low"],
    ["ＬＯＷ", "low"],
    ["1,000", "1000"],
    ["1000.0", "1e3"],
    [".5", "0.50"],
    ["True", true],
    ["-0", "0"],
  ])("takes %j and %j for one vote", (one, other) => {
    expect(normaliseVote(one)).toBe(normaliseVote(other));
  });

  it.each([
    ["-3", "3"],
    [".5", "5"],
    ["C++", "C"],
    ["1.5", "15"],
    ["1.5.2", "1.52"],
    ["urgent", "not urgent"],
    ["99999999999999999", "99999999999999998"],
    ["+", "-"],
    ["!", "?"],
    ["$5", "€5"],
  ])("keeps %j and %j apart", (one, other) => {
    expect(normaliseVote(one)).not.toBe(normaliseVote(other));
  });

  it("tells every two integers apart, however they are written", () => {
    const forms = fc.constantFrom(
      (n: number) => String(n),
      (n: number) => `${n}.`,
      (n: number) => `${n}.00`,
      (n: number) => n.toLocaleString("en-US"),
      (n: number) => `  "${n}"`,
    );
    const integer = fc.integer({ min: -1_000_000, max: 1_000_000 });
    fc.assert(
      fc.property(integer, integer, forms, forms, (a, b, writeA, writeB) => {
        expect(normaliseVote(writeA(a)) === normaliseVote(writeB(b))).toBe(a === b);
      }),
    );
  });
});
