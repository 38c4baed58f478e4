import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDecided, normaliseVote, tally, votesToDecide } from "./majority-vote.ts";

const labels = fc.constantFrom("a", "b", "c", null);

it("calls a vote decided exactly when no way to cast the rest changes who leads alone", () => {
  const everyWay = (left: number): (string | null)[][] =>
    left === 0
      ? [[]]
      : everyWay(left - 1).flatMap((rest) => ["a", "b", "c", "d", null].map((one) => [one, ...rest]));
  fc.assert(
    fc.property(fc.array(labels, { maxLength: 6 }), fc.integer({ min: 0, max: 3 }), (cast, left) => {
      const now = tally(cast);
      const isSettled = everyWay(left).every((rest) => {
        const then = tally([...cast, ...rest]);
        return then.leaders.length === 1 && then.leaders[0] === now.leaders[0];
      });
      expect(isDecided(now, left)).toBe(isSettled);
    }),
  );
});

it("asks for no fewer votes than can decide, and for no more where that many can", () => {
  fc.assert(
    fc.property(fc.array(labels, { maxLength: 8 }), fc.integer({ min: 1, max: 8 }), (cast, left) => {
      const now = tally(cast);
      fc.pre(!isDecided(now, left));
      const more = votesToDecide(now, left);
      const after = (n: number) =>
        tally([...cast, ...Array.from({ length: n }, () => now.leaders[0] ?? "a")]);
      for (let fewer = 1; fewer < more; fewer += 1) expect(isDecided(after(fewer), left - fewer)).toBe(false);
      if (more < left) expect(isDecided(after(more), left - more)).toBe(true);
    }),
  );
});

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
