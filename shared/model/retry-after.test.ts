import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { setClock } from "#shared/clock";
import { readRetryAfter } from "./classify-error.ts";

let restore = (): void => undefined;

afterEach(() => restore());

const of = (headers: Record<string, string>): number => readRetryAfter(new Headers(headers));

test("reads milliseconds first, then seconds, then a date", () => {
  restore = setClock({ now: () => Date.parse("2026-11-21T10:00:00Z") });
  expect(of({ "retry-after-ms": "1500", "retry-after": "9" })).toBe(1_500);
  expect(of({ "retry-after": "2.5" })).toBe(2_500);
  expect(of({ "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT" })).toBe(30_000);
});

test("is a whole number within its bounds for any header", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
      const delayMs = of({ "retry-after": text });
      expect(Number.isInteger(delayMs) && delayMs >= 50 && delayMs <= 60_000).toBe(true);
    }),
  );
});
