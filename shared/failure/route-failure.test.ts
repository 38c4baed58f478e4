import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FAILURE_CLASSES } from "#shared/errors";
import type { FailureClass } from "#shared/errors";
import { routeFailure } from "./route-failure.ts";
import type { FailedDelivery } from "./route-failure.ts";

const failed = (failureClass: FailureClass, more: Partial<FailedDelivery> = {}): FailedDelivery => ({
  failureClass,
  deliveries: 1,
  random: 0.5,
  requeues: 0,
  nowMs: 1_000_000,
  expiresAtMs: 2_000_000,
  retryAfterMs: null,
  onContentError: "ward",
  ...more,
});

describe("routeFailure", () => {
  it.each([
    ["parse_error", "ward"],
    ["validation_error", "ward"],
    ["content_error", "ward"],
    ["timeout", "retry"],
    ["transient", "retry"],
    ["unavailable", "retry"],
    ["handler_error", "retry"],
    ["rate_limited", "retry"],
    ["unsupported_version", "retry"],
    ["rejected", "reroute"],
    ["expired", "end"],
    ["hop_limit", "quarantine"],
    ["loop_detected", "quarantine"],
    ["budget_exceeded", "quarantine"],
    ["cancelled", "end"],
    ["crash_loop", "quarantine"],
    ["untrusted", "quarantine"],
    ["unsafe", "quarantine"],
  ] as const)("sends %s to %s on its first delivery", (failureClass, kind) => {
    expect(routeFailure(failed(failureClass)).kind).toBe(kind);
  });

  it.each(["timeout", "transient", "handler_error"] as const)(
    "sends %s to the ward after 3 deliveries",
    (one) => {
      expect(routeFailure(failed(one, { deliveries: 2 })).kind).toBe("retry");
      expect(routeFailure(failed(one, { deliveries: 3 })).kind).toBe("ward");
    },
  );

  it("retries without end where the agent says so", () => {
    const policy = { deliveriesMax: Infinity, delayMs: 1000, delayMsMax: 300_000 };
    expect(routeFailure(failed("transient", { deliveries: 100_000 }), policy).kind).toBe("retry");
  });

  it.each(["rate_limited", "unavailable"] as const)(
    "puts %s off for the time that is named and a pause that grows with each time, and counts no delivery",
    (one) => {
      const at = (requeues: number) =>
        routeFailure(failed(one, { deliveries: 50, requeues, retryAfterMs: 7000 }));
      expect(at(0)).toEqual({ kind: "retry", delayMs: 7500, counted: false });
      expect(at(3)).toEqual({ kind: "retry", delayMs: 11_000, counted: false });
      expect(at(1_000_000)).toEqual({ kind: "retry", delayMs: 157_000, counted: false });
    },
  );

  it("ends a rate-limited message at its expiry, not later", () => {
    expect(routeFailure(failed("rate_limited", { nowMs: 2_000_000, retryAfterMs: 1 }))).toEqual({
      kind: "end",
      end: "expired",
    });
    const late = routeFailure(failed("rate_limited", { nowMs: 1_999_000, retryAfterMs: 60_000 }));
    expect(late).toEqual({ kind: "retry", delayMs: 1000, counted: false });
  });

  it("does as the contract says with wrong content, and as the team says at a limit", () => {
    expect(routeFailure(failed("content_error", { onContentError: "quarantine" })).kind).toBe("quarantine");
    expect(routeFailure(failed("hop_limit", { onLimit: { hop_limit: "end" } }))).toEqual({
      kind: "end",
      end: "failed",
    });
    expect(routeFailure(failed("expired", { onLimit: { expired: "quarantine" } })).kind).toBe("quarantine");
  });

  it("never waits longer than the cap or past the expiry, and never for a negative time", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FAILURE_CLASSES),
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.option(fc.integer({ min: -10, max: 1e12 })),
        (failureClass, deliveries, random, nowMs, retryAfterMs) => {
          const route = routeFailure(failed(failureClass, { deliveries, random, nowMs, retryAfterMs }));
          if (route.kind !== "retry") return;
          expect(route.delayMs).toBeGreaterThanOrEqual(0);
          expect(route.delayMs).toBeLessThanOrEqual(300_000);
          expect(nowMs + route.delayMs).toBeLessThanOrEqual(Math.max(nowMs, 2_000_000));
        },
      ),
    );
  });

  it("refuses a caller's nonsense", () => {
    expect(() => routeFailure(failed("timeout", { deliveries: 0 }))).toThrow(RangeError);
    expect(() => routeFailure(failed("timeout", { random: 1 }))).toThrow(RangeError);
  });
});
