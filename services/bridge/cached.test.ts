import { expect, it, onTestFinished } from "vitest";
import { setClock } from "#shared/clock";
import { cached } from "./cached.ts";

it("caches an answer for its lifetime and for concurrent callers, and asks again after a failure", async () => {
  let nowMs = 1000;
  onTestFinished(setClock({ now: () => nowMs }));
  let asked = 0;
  const ask = cached(100, async () => {
    asked += 1;
    if (asked === 2) throw new Error("away");
    return asked;
  });
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  nowMs += 100;
  expect(await ask()).toBe(1);
  nowMs += 1;
  await expect(ask()).rejects.toThrow("away");
  expect(await ask()).toBe(3);
  nowMs -= 50;
  expect(await ask()).toBe(4);
});
