import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ErrorThrottle } from "./error-throttle.ts";

const oom = new Error("OOM command not allowed when used memory > 'maxmemory'.");

describe("the pace of errors", () => {
  it("holds nobody up for an error now and then", () => {
    const pace = new ErrorThrottle();
    for (let second = 0; second < 100; second += 1) expect(pace.next(oom, second * 2000).holdMs).toBe(0);
  });

  it("pauses longer and longer while errors spin, never more than 5 s, and forgets it at the first success", () => {
    const pace = new ErrorThrottle();
    const holds = Array.from({ length: 12 }, (_, i) => pace.next(oom, i).holdMs);
    expect(holds).toEqual([0, 0, 0, 0, 0, 250, 500, 1000, 2000, 4000, 5000, 5000]);
    pace.succeeded();
    expect(pace.next(oom, 13).holdMs).toBe(0);
  });

  it("lets through a bounded number of errors whatever their times, when each pause is kept", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 400, maxLength: 400 }), (gaps) => {
        const pace = new ErrorThrottle();
        let atMs = 0;
        let count = 0;
        for (const gap of gaps) {
          if (atMs > 60_000) break;
          count += 1;
          atMs += gap + pace.next(oom, atMs).holdMs;
        }
        // The burst, the doubling pauses, then one in 5 s.
        expect(count).toBeLessThan(25);
      }),
    );
  });

  it("tells one error of a kind in 10 s, with the number of those that it kept quiet about", () => {
    const pace = new ErrorThrottle();
    const other = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
    expect(pace.next(oom, 0)).toMatchObject({ isReported: true, suppressed: 0 });
    for (let i = 1; i <= 40; i += 1) expect(pace.next(oom, i).isReported).toBe(false);
    expect(pace.next(other, 41)).toMatchObject({ isReported: true, suppressed: 0 });
    expect(pace.next(oom, 10_000)).toMatchObject({ isReported: true, suppressed: 40 });
  });
});
