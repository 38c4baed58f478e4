import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdsBase64 } from "./check-value.ts";
import { JsonBoundError, JsonSyntaxError, parseJson } from "./index.ts";
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

describe("parseJson", () => {
  it("reads what JSON.parse reads, for any JSON, written in any layout", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("", "  ", "\t"), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['{"amount":42.5,"amount":9000}', "/amount"],
    ['{"amount":42.5,"\\u0061mount":9000}', "/amount"],
    ['[{"a":{"b":1,"b":1}}]', "/0/a/b"],
    ['{"a\\"b":":","a\\"b":":"}', '/a"b'],
    ['{"__proto__":1,"__proto__":2}', "/__proto__"],
    ['{"a":1,"b":{"a":1},"c":[],"a":1}', "/a"],
  ])("refuses %s and names the place", (text, path) => {
    const read = (): unknown => parseJson(text);
    expect(read).toThrow(JsonBoundError);
    expect(read).toThrow(expect.objectContaining({ bound: "duplicate_key", paths: [path] }));
  });

  it("refuses what is not JSON, and reads any depth that JSON.parse reads", () => {
    expect(() => parseJson("{")).toThrow(JsonSyntaxError);
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(() => parseJson(deep)).not.toThrow();
  });

  it("takes time linear in the text, whatever it holds", () => {
    const text = JSON.stringify({ a: '"\\'.repeat(500_000) });
    const startedMs = performance.now();
    parseJson(text);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});

/** The rule, read off character by character. */
function holdsBase64Plainly(text: string, charsMax: number): boolean {
  let run = 0;
  let line = 0;
  let kinds = new Set<string>();
  for (const unit of text.split("")) {
    const kind = /[A-Z]/.test(unit) ? "A" : /[a-z]/.test(unit) ? "a" : /\d/.test(unit) ? "0" : "";
    if (kind !== "" || "+/-_".includes(unit)) {
      run += 1;
      line += 1;
      kinds.add(kind);
      if (run > charsMax && kinds.has("A") && kinds.has("a") && kinds.has("0")) return true;
    } else if (unit === "\n" && line >= 60) {
      line = 0;
    } else if (unit !== "\r" || line < 60) {
      run = 0;
      line = 0;
      kinds = new Set();
    }
  }
  return false;
}

const piece = fc.oneof(
  fc.constantFrom(" ", "\n", "\r\n", "\r", "=", "é", "A", "a", "0", "-"),
  fc.nat(90).map((n) => "aB3d".repeat(n).slice(0, n)),
  fc.nat(90).map((n) => "f".repeat(n)),
  fc.string({ maxLength: 5 }),
);
const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));

describe("looking for base64", () => {
  it("finds what reading every character finds", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 130 }), (written, charsMax) => {
        expect(holdsBase64(written, charsMax)).toBe(holdsBase64Plainly(written, charsMax));
      }),
      { numRuns: 3000 },
    );
  });
});
