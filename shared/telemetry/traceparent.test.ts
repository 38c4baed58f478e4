import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTraceparent, newTraceparent, parseTraceparent } from "./index.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("traceparent", () => {
  it("reads what it writes, for all ids and flags", () => {
    const id = (length: number): fc.Arbitrary<string> =>
      fc
        .array(fc.constantFrom(..."0123456789abcdef".split("")), { minLength: length, maxLength: length })
        .map((digits) => digits.join(""))
        .filter((text) => /[^0]/.test(text));
    fc.assert(
      fc.property(fc.record({ traceId: id(32), spanId: id(16), isSampled: fc.boolean() }), (parts) => {
        expect(parseTraceparent(formatTraceparent(parts))).toEqual(parts);
      }),
    );
  });

  it("reads a later version that begins in the same way", () => {
    expect(parseTraceparent(`01-${TRACE}-${SPAN}-03-more`)).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      isSampled: true,
    });
  });

  it.each([
    ["nothing", ""],
    ["version ff", `ff-${TRACE}-${SPAN}-01`],
    ["a fifth part in version 00", `00-${TRACE}-${SPAN}-01-x`],
    ["upper case", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ["a zero trace id", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["a zero span id", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["a short id", `00-${TRACE.slice(1)}-${SPAN}-01`],
    ["a line break at its end", `00-${TRACE}-${SPAN}-01\n`],
    ["no end", `01-${TRACE}-${SPAN}-01-${"x".repeat(100_000)}`],
  ])("refuses %s", (_what, text) => {
    expect(parseTraceparent(text)).toBeNull();
  });

  it("makes new ones that can be read, in the given trace if there is one", () => {
    expect(parseTraceparent(newTraceparent())).toMatchObject({ isSampled: true });
    expect(parseTraceparent(newTraceparent(TRACE))).toMatchObject({ traceId: TRACE });
    expect(newTraceparent(TRACE)).not.toBe(newTraceparent(TRACE));
  });
});
