import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENVELOPE_LIMITS_DEFAULT } from "../bounds.ts";
import { EnvelopeTooLargeError, JsonBoundError, JsonSyntaxError } from "../errors.ts";
import { checkValue } from "./check-value.ts";
import { parseBounded } from "./parse-bounded.ts";
import { scanJson } from "./scan-json.ts";

function boundOf(text: string): { bound: string; path: string } | undefined {
  try {
    parseBounded(text);
  } catch (error) {
    if (error instanceof JsonBoundError) return { bound: error.bound, path: error.paths[0] ?? "none" };
    throw error;
  }
  return undefined;
}

describe("parseBounded", () => {
  it("reads what JSON.parse reads, for any JSON that breaks no bound", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        fc.pre(!text.includes("__proto__"));
        expect(parseBounded(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 300 },
    );
  });

  it("reads or refuses any text with a typed error, as JSON.parse would", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('{}[]",:\\u0d8-1e. tn')) }), (text) => {
        const isJson = ((): boolean => {
          try {
            JSON.parse(text);
            return true;
          } catch {
            return false;
          }
        })();
        try {
          parseBounded(text);
          expect(isJson).toBe(true);
        } catch (error) {
          expect(error instanceof JsonBoundError || (error instanceof JsonSyntaxError && !isJson)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("tells a key that is written twice and a colon in a text apart, whatever is escaped", () => {
    const text = fc
      .array(fc.constantFrom("a", ":", "\\u003a", "\\u003A", "\\\\", '\\"', "\\u0061"), { maxLength: 4 })
      .map((parts) => `"${parts.join("")}"`);
    const object = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
      fc
        .array(fc.tuple(text, fc.constantFrom(":", " : "), value), { maxLength: 4 })
        .map((fields) => `{${fields.map((field) => field.join("")).join(",")}}`);
    fc.assert(
      fc.property(object(fc.oneof(text, object(text), fc.constant("12"))), (json) => {
        const written = scanJson(json, ENVELOPE_LIMITS_DEFAULT).keys;
        const isTwice = checkValue(JSON.parse(json), ENVELOPE_LIMITS_DEFAULT) !== written;
        expect(boundOf(json)?.bound).toBe(isTwice ? "duplicate_key" : undefined);
      }),
      { numRuns: 3000 },
    );
  });

  it("finds every key that is written twice, however it is escaped", () => {
    expect(boundOf('{"a":1,"a":1}')).toEqual({ bound: "duplicate_key", path: "/a" });
    expect(boundOf('{"a":{"b":[0,{"c":1,"\\u0063":2}]}}')).toEqual({
      bound: "duplicate_key",
      path: "/a/b/1/c",
    });
    expect(boundOf(`{"x/y~":1,"x/y~"${" ".repeat(200)}:2}`)).toEqual({
      bound: "duplicate_key",
      path: "/x~1y~0",
    });
    expect(boundOf('[{"a":1},{"a":1},"\\"a\\":1",{"b":{"a":1},"a":2}]')).toBeUndefined();
  });

  it("finds a repeated key in any object", () => {
    const keys = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(keys, fc.nat(), (names, pick) => {
        fc.pre(!names.includes("__proto__"));
        const fields = names.map((name) => `${JSON.stringify(name)}:{}`);
        expect(boundOf(`{${fields.join(",")}}`)).toBeUndefined();
        const repeated = [...fields, fields[pick % fields.length]].join(",");
        expect(boundOf(`{${repeated}}`)?.bound).toBe("duplicate_key");
      }),
      { numRuns: 200 },
    );
  });

  it("refuses keys that reach for the prototype, also escaped, and lets plain words be", () => {
    expect(boundOf('{"a":[{"__proto__":{"x":1}}]}')).toEqual({
      bound: "prototype_key",
      path: "/a/0/__proto__",
    });
    expect(boundOf('{"\\u005f_proto\\u005f_":null}')?.bound).toBe("prototype_key");
    expect(boundOf('{"constructor":{"prototype":{}}}')?.bound).toBe("prototype_key");
    expect(boundOf('{"constructor":"Ferrari","prototype":"P1","note":"__proto__"}')).toBeUndefined();
  });

  it("holds depth at 32 and names the place where 33 begins", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(boundOf(nested(32))).toBeUndefined();
    expect(boundOf(nested(33))).toEqual({ bound: "too_deep", path: "/0".repeat(32) });
    expect(boundOf('{"a":'.repeat(100_000) + "1" + "}".repeat(100_000))?.bound).toBe("too_deep");
    expect(boundOf("[".repeat(1_000_000))?.bound).toBe("too_deep");
  });

  it("holds the number of keys at 20,000", () => {
    const wide = (count: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 0])));
    expect(boundOf(wide(20_000))).toBeUndefined();
    expect(boundOf(wide(20_001))?.bound).toBe("too_many_keys");
    expect(boundOf(wide(80_000))?.bound).toBe("too_many_keys");
  });

  it("measures strings in bytes of UTF-8, keys too", () => {
    expect(boundOf(JSON.stringify({ t: "é ".repeat(21_845) }))).toBeUndefined();
    expect(boundOf(JSON.stringify({ t: "é ".repeat(21_846) }))).toEqual({
      bound: "string_too_long",
      path: "/t",
    });
    expect(boundOf(JSON.stringify({ ["k ".repeat(40_000)]: 1 }))?.bound).toBe("string_too_long");
    expect(boundOf(JSON.stringify("\u0000".repeat(65_536)))).toBeUndefined();
  });

  it("refuses numbers that would become others, and keeps all that would not", () => {
    for (const text of ["1e999", "[-1e999]", '{"n":1e309}'])
      expect(boundOf(text)?.bound).toBe("number_not_finite");
    expect(boundOf('{"id":9007199254740993}')).toEqual({ bound: "number_precision", path: "/id" });
    expect(boundOf("[0,[12345678901234567890]]")).toEqual({ bound: "number_precision", path: "/1/0" });
    for (const text of [
      "9007199254740991",
      "-9007199254740991",
      "1e21",
      "1000000000000000000000",
      "0.1",
      "-0",
    ]) {
      expect(boundOf(text)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(boundOf(JSON.stringify(value))).toBeUndefined();
      }),
    );
  });

  it("lets lone surrogates through and refuses what is not JSON", () => {
    expect(parseBounded('"\\ud800"')).toBe("\ud800");
    for (const text of ["", "{", "{'a':1}", "NaN", "[1,]", '{"a":1}{', '"', "\ufeff{}", "undefined"]) {
      expect(() => parseBounded(text)).toThrow(JsonSyntaxError);
    }
    expect(() => parseBounded(`"${"é".repeat(524_288)}"`)).toThrow(EnvelopeTooLargeError);
  });

  it("takes time in proportion to the text, whatever the text is", () => {
    // A quadratic reader needs minutes for these; the test's time limit is the assertion.
    const hostile = [
      `"${"\\\\".repeat(400_000)}`,
      `"${'\\"'.repeat(400_000)}`,
      "1".repeat(1_000_000),
      "-".repeat(1_000_000),
    ];
    for (const text of hostile) expect(() => parseBounded(text)).toThrow();
  });
});
