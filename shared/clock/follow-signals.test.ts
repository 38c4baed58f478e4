import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { followSignals } from "./follow-signals.ts";

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
