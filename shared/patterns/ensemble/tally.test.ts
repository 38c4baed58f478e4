import fc from "fast-check";
import { expect, it } from "vitest";
import { isDecided, tally, votesToDecide } from "./majority-vote.ts";

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
