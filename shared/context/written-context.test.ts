import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Conversation } from "#shared/envelope";
import { ContextNotJsonError, ContextUnreadableError } from "./errors.ts";
import { selectFields } from "./select-fields.ts";
import { readContext, writeContext } from "./written-context.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text, "utf8");

describe("a written context", () => {
  it("is compact JSON in UTF-8 and reads back the same", () => {
    const context: Conversation = {
      history: [{ role: "user", content: "Grüße, 漢字 \u{1F600}", timestamp: "2025-01-15T10:30:00Z" }],
      tool_state: { active_calls: [{ call_id: "c1", tool: "q" }] },
      metadata: { agent_id: "a" },
    };
    const written = writeContext(context);
    expect(Buffer.from(written).toString("utf8")).toBe(JSON.stringify(context));
    expect(readContext(written)).toEqual(context);
  });

  it("reads back whatever it could write", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 20 });
    const message = fc.record({ role: fc.constantFrom("user" as const, "tool" as const), content: text });
    const value = fc.jsonValue({ maxDepth: 3 });
    const key = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(
        fc.array(message),
        fc.dictionary(key, value),
        fc.dictionary(key, value),
        (history, tool_state, metadata) => {
          const context = JSON.parse(JSON.stringify({ history, tool_state, metadata }));
          expect(readContext(writeContext(context))).toEqual(context);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("takes the history under the name that other systems give it", () => {
    const read = readContext(
      bytes('{"conversation_history":[{"role":"user","content":"x"}],"tool_state":{},"metadata":{}}'),
    );
    expect(read.history).toEqual([{ role: "user", content: "x" }]);
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

  it("is not written where JSON cannot say it", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    for (const metadata of [cyclic, { n: 1n }])
      expect(() => writeContext({ history: [], tool_state: {}, metadata })).toThrow(ContextNotJsonError);
  });
});

describe("selectFields", () => {
  it("takes fields, items of lists and whole values, and says what is not there", () => {
    const value = { a: { b: 1, c: 2 }, list: [{ id: 1, x: 9 }, { id: 2 }, 7], "odd/name": 3 };
    expect(selectFields(value, ["/a/b", "/list/*/id", "/odd~1name", "/gone/x"])).toEqual({
      value: { a: { b: 1 }, list: [{ id: 1 }, { id: 2 }, {}], "odd/name": 3 },
      missing: ["/gone/x"],
    });
    expect(selectFields(value, [""]).value).toBe(value);
    expect(selectFields(value, ["/list/1"]).value).toEqual({ list: [{ id: 2 }] });
    expect(selectFields(value, []).value).toEqual({});
  });

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
