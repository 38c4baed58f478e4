import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findUnwritable } from "./find-unwritable.ts";

const cycle: Record<string, unknown> = { list: [] };
cycle["list"] = [1, cycle];
const deep = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));

class Money {
  readonly cents = 7;
}
class Hidden {
  readonly #cents = 7;
  read(): number {
    return this.#cents;
  }
}

describe("findUnwritable", () => {
  it.each<[string, unknown, string]>([
    ["NaN", Number.NaN, "NaN"],
    ["an infinity", -Infinity, "-Infinity"],
    ["a BigInt", 7n, "BigInt"],
    ["a Date", new Date(0), "Date"],
    ["a Map", new Map([["a", 1]]), "Map"],
    ["a Set", new Set([1]), "Set"],
    ["a promise that was not awaited", Promise.resolve(1), "Promise"],
    ["an error", new Error("x"), "Error"],
    ["bytes", Buffer.from("x"), "Uint8Array"],
    ["a pattern", /x/, "RegExp"],
    ["a function", () => 1, "function"],
    ["a symbol", Symbol("s"), "symbol"],
    ["a class whose content is private", new Hidden(), "Hidden without fields"],
    ["an object that writes itself as something else", { toJSON: () => Number.NaN }, "NaN"],
  ])("names the place and kind of %s, in objects and lists", (_, value, kind) => {
    expect(findUnwritable(value)).toEqual({ path: "", kind });
    expect(findUnwritable({ ok: "a", "a/b": [1, { at: value }] })).toEqual({ path: "/a~1b/1/at", kind });
  });

  it("finds cycles, and what is too deep for a stack", () => {
    expect(findUnwritable(cycle)).toEqual({ path: "/list/1", kind: "cycle" });
    expect(findUnwritable(deep(100))).toBeNull();
    expect(findUnwritable(deep(5000))?.kind).toBe("value that is nested too deeply");
    const both = { n: 1 };
    expect(findUnwritable([both, both])).toBeNull();
  });

  it("leaves alone what JSON keeps, fields of a class and undefined members included", () => {
    expect(findUnwritable({ money: new Money(), gone: undefined, list: [undefined], none: null })).toBeNull();
    expect(findUnwritable(Object.create(null))).toBeNull();
    fc.assert(
      fc.property(fc.jsonValue(), (value) => findUnwritable(value) === null),
      { numRuns: 300 },
    );
  });

  it("finds whatever JSON would not give back, wherever it is", () => {
    const exotic = { withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true };
    fc.assert(
      fc.property(fc.anything(exotic), (value) => (findUnwritable(value) === null) === isPlain(value)),
      { numRuns: 1000 },
    );
  });
});

/** The rule once more, without places. */
function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  const prototype: unknown = Object.getPrototypeOf(value);
  const isContainer = Array.isArray(value) || prototype === Object.prototype || prototype === null;
  return isContainer && Object.values(value).every(isPlain);
}
