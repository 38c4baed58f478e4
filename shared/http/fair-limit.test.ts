import fc from "fast-check";
import { expect, it } from "vitest";
import { FairLimit } from "./rate-limit.ts";

const limitOf = (max: number, share: number): FairLimit => new FairLimit(max, () => share);

/** Takes places until there is none left for the key. Returns how many it took. */
function takeAll(limit: FairLimit, name: string, tenant: string): number {
  let taken = 0;
  while (limit.enter({ name, tenant }) !== null) taken += 1;
  return taken;
}

it("gives one tenant its share, however many keys it has, and others a share of the rest", () => {
  const limit = limitOf(100, 0.5);
  const keys = Array.from({ length: 60 }, (_, n) => takeAll(limit, `a/${n}`, "a"));
  expect(keys[0]).toBe(25);
  expect(keys.reduce((sum, taken) => sum + taken, 0)).toBe(50);
  expect(takeAll(limit, "b/1", "b")).toBe(12);
  expect(takeAll(limit, "c/1", "c")).toBe(9);
});

it("gives one key half of what there is where there is one tenant", () => {
  const limit = limitOf(100, 1);
  expect([takeAll(limit, "one", "local"), takeAll(limit, "two", "local")]).toEqual([50, 25]);
});

it("leaves a place to a key and a tenant that have none, whatever one tenant takes and gives back", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 4, max: 40 }),
      fc.array(fc.tuple(fc.nat(12), fc.boolean()), { maxLength: 200 }),
      (max, steps) => {
        const limit = limitOf(max, 0.5);
        const held: (() => void)[] = [];
        for (const [key, isTaken] of steps) {
          if (!isTaken) {
            held.pop()?.();
            continue;
          }
          const leave = limit.enter({ name: `a/${key}`, tenant: "a" });
          if (leave !== null) held.push(leave);
        }
        expect(limit.count).toBe(held.length);
        expect(limit.count).toBeLessThanOrEqual(max / 2);
        expect(limit.enter({ name: "b/1", tenant: "b" })).not.toBeNull();
        for (const leave of held) leave();
        for (const leave of held) leave();
        expect(limit.count).toBe(1);
      },
    ),
    { seed: 11, numRuns: 300 },
  );
});
