import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeStep, pointerStep, stepsOf } from "./index.ts";

describe("JSON pointers", () => {
  test("are written and read as RFC 6901 says", () => {
    expect(["a/b", "c%d", "", "m~n", 0, "~1"].map((key) => `/${escapeStep(key)}`).join("")).toBe(
      "/a~1b/c%d//m~0n/0/~01",
    );
    expect(stepsOf("")).toEqual([]);
    expect(stepsOf("/")).toEqual([""]);
    expect(stepsOf("/a~1b/~01/0")).toEqual(["a/b", "~1", "0"]);
  });

  test("lead back to whatever keys they were made of", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (keys) => {
        expect(stepsOf(keys.map((key) => `/${escapeStep(key)}`).join(""))).toEqual(keys);
      }),
    );
  });

  test("of errors hold no more than the beginning of a key", () => {
    expect(pointerStep("x".repeat(128))).toBe(`/${"x".repeat(128)}`);
    expect(pointerStep("x".repeat(10_000))).toBe(`/${"x".repeat(128)}…`);
  });
});
