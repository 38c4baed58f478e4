import { getEventListeners } from "node:events";
import { expect, it, onTestFinished, vi } from "vitest";
import { correctClock, now, setClock, wallNow } from "./clock.ts";
import { followSignals } from "./follow-signals.ts";

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

it("is aborted with the first source's reason, whichever it is, also when that was aborted before", () => {
  for (const at of [0, 1, 2]) {
    const sources = [new AbortController(), new AbortController(), new AbortController()];
    const { signal } = followSignals(sources.map((source) => source.signal));
    expect(signal.aborted).toBe(false);
    sources[at]?.abort(`reason ${at}`);
    sources[(at + 1) % 3]?.abort("too late");
    expect(signal.reason).toBe(`reason ${at}`);
  }
  expect(followSignals([AbortSignal.abort("before")]).signal.reason).toBe("before");
});

it("leaves nothing on its sources once it is let go", () => {
  const source = new AbortController();
  const { signal, letGo } = followSignals([source.signal]);
  expect(getEventListeners(source.signal, "abort")).toHaveLength(1);
  letGo();
  expect(getEventListeners(source.signal, "abort")).toHaveLength(0);
  source.abort();
  expect(signal.aborted).toBe(false);
});
