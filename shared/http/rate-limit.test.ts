import fc from "fast-check";
import { expect, it, onTestFinished, test } from "vitest";
import { setClock } from "#shared/clock";
import { RateLimitedError } from "./errors.ts";
import { FairLimit, RateLimit } from "./rate-limit.ts";

test("gives each caller its burst, then one token for each span, never more than the burst", () => {
  let nowMs = 1000;
  onTestFinished(setClock({ now: () => nowMs }));
  const limit = new RateLimit({ burst: 2, perSecond: 4 });
  limit.take("ada");
  limit.take("ada");
  expect(() => limit.take("ada")).toThrow(RateLimitedError);
  limit.take("vera");
  nowMs += 250;
  limit.take("ada");
  expect(() => limit.take("ada")).toThrow(RateLimitedError);
  nowMs += 60_000;
  limit.take("ada");
  limit.take("ada");
  expect(() => limit.take("ada")).toThrow(RateLimitedError);
});

test("remembers a bounded number of callers and forgets the one not seen for longest", () => {
  let nowMs = 1000;
  onTestFinished(setClock({ now: () => nowMs }));
  const limit = new RateLimit({ burst: 1, perSecond: 0.001, callersMax: 2 });
  limit.take("ada");
  limit.take("bea");
  expect(() => limit.take("ada")).toThrow(RateLimitedError);
  limit.take("cleo");
  expect(() => limit.take("ada")).toThrow(RateLimitedError);
  limit.take("bea");
});

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
