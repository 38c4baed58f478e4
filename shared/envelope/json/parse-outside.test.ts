import { describe, expect, it } from "vitest";
import { JsonBoundError } from "../errors.ts";
import { parseOutside } from "./parse-bounded.ts";

function faultOf(text: string): { bound: string; path: string | undefined } | undefined {
  try {
    parseOutside(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonBoundError) return { bound: error.bound, path: error.paths[0] };
    throw error;
  }
}

/** The shortest of several runs, in ms: other processes on the machine only make runs longer. */
function shortest(run: () => void): number {
  const times = Array.from({ length: 7 }, () => {
    const startedMs = performance.now();
    run();
    return performance.now() - startedMs;
  });
  return Math.min(...times);
}

describe("parseOutside", () => {
  it.each([
    ['"\\ud800"', ""],
    ['{"a":["x","\\uDFFF tail"]}', "/a/1"],
    ['{"a":"\\udc00\\ud800"}', "/a"],
    ['{"a\\ud83d":1}', "/a\ufffd"],
  ])("refuses half a character: %s", (text, path) => {
    expect(faultOf(text)).toEqual({ bound: "lone_surrogate", path });
  });

  it("takes whole characters, however they are written, and texts about escapes", () => {
    expect(parseOutside('["\\ud83d\\ude00","😀","\\\\ud800"]')).toEqual(["😀", "😀", "\\ud800"]);
  });

  it("holds the number of values at 20,000, of items and members together", () => {
    const items = (count: number): string => `[${Array.from({ length: count }, () => "0").join()}]`;
    expect(faultOf(items(20_001))).toBeUndefined();
    expect(faultOf(items(20_002))).toEqual({ bound: "too_many_values", path: "" });
    expect(faultOf(`{"a":${items(10_001)},"b":${items(10_001)}}`)?.bound).toBe("too_many_values");
    expect(faultOf(JSON.stringify(",".repeat(30_000)))).toBeUndefined();
  });

  it.each([
    ["80,000 keys", `{${Array.from({ length: 80_000 }, (_, i) => `"k${i}":1`).join()}}`],
    ["500,000 values", `[${Array.from({ length: 500_000 }, () => "1").join()}]`],
  ])("refuses %s in less time than parsing them takes", (_what, text) => {
    const parsing = shortest(() => void JSON.parse(text));
    expect(shortest(() => void faultOf(text))).toBeLessThan(parsing);
  });
});
