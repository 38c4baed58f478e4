import fc from "fast-check";
import { expect, test } from "vitest";
import { ATTENTIONS } from "#shared/api";
import { attentionOf, byNeed } from "./attention.ts";
import type { Judged } from "./attention.ts";

const judged: fc.Arbitrary<Judged> = fc
  .record({
    lifecycle: fc.constantFrom("open", "acknowledged", "resolved", "regressed"),
    open: fc.nat(3),
    replays: fc.nat(2),
    last_seen_ms: fc.nat(3),
    waiting: fc.nat(3),
  })
  .map(({ waiting, ...group }) => ({ ...group, quarantined: Math.min(waiting, group.open) }));

const quiet: Judged = { lifecycle: "open", open: 0, replays: 0, last_seen_ms: 1, quarantined: 0 };

test.each([
  ["regressed", { lifecycle: "regressed" }],
  ["failing_again", { open: 2, replays: 1 }],
  ["waiting", { open: 2, quarantined: 1 }],
  ["looked_after", { lifecycle: "acknowledged", open: 1, quarantined: 1, replays: 3 }],
  ["in_treatment", { open: 4 }],
  ["quiet", { lifecycle: "resolved" }],
  ["quiet", { replays: 2 }],
] as const)("calls a group %s", (attention, about) => {
  expect(attentionOf({ ...quiet, ...about })).toBe(attention);
});

test("never hides what waits for a person behind what waits for nobody", () => {
  fc.assert(
    fc.property(fc.array(judged), (groups) => {
      const sorted = groups.toSorted(byNeed);
      const ranks = sorted.map((group) => ATTENTIONS.indexOf(attentionOf(group)));
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      for (const [i, group] of sorted.entries()) {
        const before = sorted[i - 1];
        if (before === undefined || attentionOf(before) !== attentionOf(group)) continue;
        expect(before.quarantined).toBeGreaterThanOrEqual(group.quarantined);
      }
    }),
  );
});

test("says the same of a group in whatever order it is asked", () => {
  fc.assert(
    fc.property(judged, judged, (one, other) => {
      expect(Math.sign(byNeed(one, other))).toBe(-Math.sign(byNeed(other, one)) + 0);
    }),
  );
});
