import { expect, it, onTestFinished } from "vitest";
import { setClock } from "#shared/clock";
import { recently } from "./recently.ts";

it("asks once for as long as the answer is young, for all who ask, and again after a failure", async () => {
  let nowMs = 1000;
  onTestFinished(setClock({ now: () => nowMs }));
  let asked = 0;
  const ask = recently(100, async () => {
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
