import { expect, it, onTestFinished, vi } from "vitest";
import { correctClock, now, setClock, wallNow } from "./clock.ts";

const HOUR_MS = 3_600_000;

it("only runs once it was corrected, whatever the machine's time is set to", async () => {
  correctClock(0);
  const before = now();
  const machine = vi.spyOn(Date, "now");
  onTestFinished(() => machine.mockRestore());
  for (const byMs of [HOUR_MS, -HOUR_MS]) {
    machine.mockReturnValue(before + byMs);
    expect(Math.abs(now() - before)).toBeLessThan(1000);
    expect(wallNow()).toBe(before + byMs);
  }
  correctClock(HOUR_MS);
  onTestFinished(() => correctClock(-HOUR_MS));
  expect(Math.abs(now() - before - HOUR_MS)).toBeLessThan(1000);
});

it("is what a test has set, for both", () => {
  const setBack = setClock({ now: () => 7 });
  expect([now(), wallNow()]).toEqual([7, 7]);
  setBack();
  expect(now()).toBeGreaterThan(7);
});
