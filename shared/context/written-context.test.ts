import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Conversation } from "#shared/envelope";
import { ContextNotJsonError, ContextUnreadableError } from "./errors.ts";
import { selectFields } from "./packet.ts";
import { readContext, writeContext } from "./written-context.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text, "utf8");

describe("a written context", () => {
  it("reads back the same, and is refused where a name reaches for the prototype", () => {
    const half = fc.constantFrom("\uD83D", "\uDE00");
    const text = fc.string({
      unit: fc.oneof(fc.string({ unit: "grapheme", maxLength: 1 }), half),
      maxLength: 20,
    });
    const message = fc.record({ role: fc.constantFrom("user" as const, "tool" as const), content: text });
    const name = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom("__proto__", "constructor", "prototype"),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, fc.jsonValue({ maxDepth: 1 }), fc.dictionary(name, tie("value"))),
    }));
    const fields = fc.dictionary(name, value, { maxKeys: 4 });
    fc.assert(
      fc.property(fc.array(message), fields, fields, (history, tool_state, metadata) => {
        const context: Conversation = JSON.parse(JSON.stringify({ history, tool_state, metadata }));
        if (reachesForPrototype(context)) {
          const refusal: unknown = failureOf(() => writeContext(context));
          expect(refusal).toBeInstanceOf(ContextNotJsonError);
          expect(refusal).toMatchObject({ issues: [{ code: "prototype_key" }] });
        } else {
          expect(readContext(writeContext(context))).toEqual(context);
        }
      }),
      { numRuns: 100, examples: [[[], {}, JSON.parse('{"a": [{"__proto__": null}]}')]] },
    );
  });

  it.each([
    ["no UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "not UTF-8"],
    ["no JSON", bytes("{"), "no context"],
    ["without its parts", bytes('{"history":[]}'), "/tool_state"],
    [
      "with a role that is none",
      bytes('{"history":[{"role":"boss","content":"x"}],"tool_state":{},"metadata":{}}'),
      "/history/0/role",
    ],
    [
      "with names that attack",
      bytes('{"history":[],"tool_state":{"__proto__":{}},"metadata":{}}'),
      "no context",
    ],
    ["too large", bytes(" ".repeat(1_100_000)), "more than"],
  ])("is refused %s, with what is wrong", (_, written, told) => {
    expect(() => readContext(written)).toThrow(ContextUnreadableError);
    expect(() => readContext(written)).toThrow(told);
  });

  it("is not written with a cycle", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    const refusal = failureOf(() => writeContext({ history: [], tool_state: {}, metadata: cyclic }));
    expect(refusal).toBeInstanceOf(ContextNotJsonError);
  });
});

describe("selectFields", () => {
  it("lets nothing through that was not declared", () => {
    const name = fc.constantFrom("a", "b", "c", "*", "__proto__", "constructor");
    const pointer = fc.array(name, { minLength: 1, maxLength: 3 }).map((steps) => `/${steps.join("/")}`);
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(pointer, { maxLength: 4 }), (value, pointers) => {
        const leaves = leavesOf(selectFields(value, pointers).value);
        for (const { path, leaf } of leaves) {
          const isDeclared = pointers.some((one) => covers(one.slice(1).split("/"), path));
          expect(isDeclared || (typeof leaf === "object" && leaf !== null)).toBe(true);
        }
      }),
    );
  });
});

function leavesOf(value: unknown, path: string[] = []): { path: string[]; leaf: unknown }[] {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return [{ path, leaf: value }];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** Items are renumbered where others are left out, so that any number is covered by `*` and by any other. */
function covers(declared: string[], path: string[]): boolean {
  return declared.every((step, n) => step === "*" || step === path[n]);
}

function failureOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

function reachesForPrototype(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, inner]) =>
      key === "__proto__" ||
      (key === "constructor" &&
        typeof inner === "object" &&
        inner !== null &&
        Object.hasOwn(inner, "prototype")) ||
      reachesForPrototype(inner),
  );
}
