import { expect, onTestFinished, test } from "vitest";
import { setClock } from "#shared/clock";
import { RateLimitedError } from "./errors.ts";
import { RateLimit } from "./rate-limit.ts";

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
