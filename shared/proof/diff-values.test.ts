import fc from "fast-check";
import { applyPatch } from "rfc6902";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "#shared/schema";
import { diffValues } from "./diff-values.ts";

function patched(from: JsonValue, to: JsonValue): unknown {
  const holder = { root: structuredClone(from) };
  const operations = diffValues(from, to).map((one) => ({ ...one, path: `/root${one.path}` }));
  expect(applyPatch(holder, operations).every((error) => error === null)).toBe(true);
  return holder.root;
}

describe("diffValues", () => {
  test("leads from any value to any other", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (from, to) => {
        // fast-check's JSON values are ours, but for their type; what JSON cannot say (-0) goes.
        const [before, after] = [from, to].map((one) => JSON.parse(JSON.stringify(one)) as JsonValue);
        // rfc6902 drops members of that name from what it puts in; a proof refuses them.
        fc.pre(!JSON.stringify([before, after]).includes('"__proto__"'));
        expect(patched(before ?? null, after ?? null)).toEqual(after);
      }),
    );
  });

  test("leads from a list to one with items taken out, put in and changed", () => {
    const items = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 });
    fc.assert(
      fc.property(items, items, (from, to) => {
        expect(patched(from, to)).toEqual(to);
      }),
    );
  });

  test("keeps members of every name", () => {
    const to = JSON.parse('{"": {"__proto__": null}}') as JsonValue;
    const [operation] = diffValues(false, to);
    expect(JSON.stringify(operation)).toBe('{"op":"replace","path":"","value":{"":{"__proto__":null}}}');
  });

  test("tells one item taken out of a list by one operation", () => {
    expect(diffValues([1, 2, 3, 4], [1, 3, 4])).toEqual([{ op: "remove", path: "/1" }]);
    expect(diffValues([1, 3, 4], [1, 2, 3, 4])).toEqual([{ op: "add", path: "/1", value: 2 }]);
  });
});
