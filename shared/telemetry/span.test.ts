import { describe, expect, it } from "vitest";
import { newTraceparent, parseTraceparent, startSpan, traceparentOf, withSpan } from "./index.ts";

describe("spans while tracing is off", () => {
  it("have valid ids of a new trace when there is no parent", async () => {
    const seen = await withSpan("work", {}, (span) => [traceparentOf(span), traceparentOf(span)]);
    expect(parseTraceparent(seen[0] ?? "")).not.toBeNull();
    expect(seen[0]).toBe(seen[1]);
  });

  it("stay in the trace of their parent", async () => {
    const parent = newTraceparent();
    const traceId = parseTraceparent(parent)?.traceId;
    const inner = await withSpan("outer", { parent }, (span) => traceparentOf(span));
    expect(parseTraceparent(inner)?.traceId).toBe(traceId);
  });

  it("start a new trace for a parent that cannot be read, whatever it holds", () => {
    for (const parent of ["", "nonsense", `00-${"0".repeat(32)}-${"0".repeat(16)}-01`]) {
      expect(parseTraceparent(traceparentOf(startSpan("work", { parent })))).not.toBeNull();
    }
  });

  it("pass results and errors on", async () => {
    expect(await withSpan("work", { links: ["bad", newTraceparent()] }, () => 7)).toBe(7);
    const failed = new Error("broken");
    await expect(withSpan("work", {}, () => Promise.reject(failed))).rejects.toBe(failed);
  });
});
