import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonBoundError, JsonSyntaxError, parseJson } from "./index.ts";

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
