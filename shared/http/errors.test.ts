import fc from "fast-check";
import { expect, test } from "vitest";
import { AbsentError, RateLimitedError, RequestRefusedError } from "./errors.ts";

const refused = (init: { retryAfterMs?: number; headers?: Record<string, string> }): RequestRefusedError =>
  new RequestRefusedError({ code: "FULL", status: 429, message: "It is full.", remedy: "Wait.", ...init });

test("says in whole seconds when to come back, never too early", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (retryAfterMs) => {
      const seconds = Number(refused({ retryAfterMs }).headers["retry-after"]);
      expect(Number.isInteger(seconds)).toBe(true);
      expect(seconds * 1000).toBeGreaterThanOrEqual(Math.max(1000, retryAfterMs));
      expect(seconds * 1000).toBeLessThan(Math.max(1000, retryAfterMs) + 1000);
    }),
  );
});

test("says nothing about coming back where nothing is known", () => {
  expect(refused({}).headers).toEqual({});
  expect(refused({ headers: { allow: "GET" } }).headers).toEqual({ allow: "GET" });
});

test("keeps other headers beside the time to come back", () => {
  expect(refused({ retryAfterMs: 1001, headers: { allow: "GET" } }).headers).toEqual({
    allow: "GET",
    "retry-after": "2",
  });
  expect(new RateLimitedError(0).headers).toEqual({ "retry-after": "1" });
});

test("names what is absent, and what to do in the words of who knows better", () => {
  const absent = new AbsentError("blob");
  expect({ status: absent.status, code: absent.code }).toEqual({ status: 404, code: "NOT_FOUND" });
  expect(new AbsentError("blob", "Store it first.").remedy).toBe("Store it first.");
});
