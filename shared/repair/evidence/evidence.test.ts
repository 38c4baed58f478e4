import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leavesOf, valueAt } from "#shared/schema";
import type { Repaired } from "../first-aid-result.ts";
import { firstAid } from "../first-aid.ts";
import { evidenceOf } from "./evidence.ts";

const ORDER = {
  type: "object",
  additionalProperties: false,
  required: ["id", "name"],
  properties: {
    id: { type: "integer" },
    name: { type: "string" },
    price: { type: "number" },
    tags: { type: "array", items: { type: "string" } },
    paid: { type: "boolean" },
    kind: { type: "string", default: "order" },
  },
};

function repairedOf(text: string, schema = ORDER): Repaired {
  const result = firstAid(text, schema);
  if (!result.ok) throw new Error(`first aid refused: ${result.code}`);
  return result;
}

/** The evidence with the words of the text in place of offsets. */
function quoted(text: string, schema = ORDER): unknown {
  const { values, unused } = evidenceOf(text, repairedOf(text, schema), schema);
  const at = ({ start, end }: { start: number; end: number }): string => text.slice(start, end);
  return {
    values: values.map(({ path, spans, rules }) => [path, ...spans.map(at), ...rules]),
    unused: unused.map(({ name, reason, ...span }) => [name ?? "", at(span), reason]),
  };
}

const scalar = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.string({ minLength: 3, maxLength: 12, unit: "grapheme" }).filter((text) => /\p{L}/u.test(text)),
);
const record = fc.dictionary(
  fc.stringMatching(/^[a-z][a-z_]{2,12}$/),
  fc.oneof(scalar, fc.array(scalar, { minLength: 1, maxLength: 3 })),
  { minKeys: 1, maxKeys: 6 },
);

describe("evidence of a repair", () => {
  it("finds every scalar of sound JSON where it stands, and nothing unused", () => {
    fc.assert(
      fc.property(record, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const { values, unused } = evidenceOf(text, repairedOf(text, {} as typeof ORDER));
        expect(unused).toEqual([]);
        expect(values).toHaveLength(leavesOf(value).length);
        for (const { path, spans } of values) {
          const expected = valueAt(value, path.slice(1).split("/"));
          const [only] = spans.map(({ start, end }) => text.slice(start, end));
          const read: unknown = JSON.parse(typeof expected === "string" ? `"${only}"` : (only ?? ""));
          expect(read).toEqual(expected);
        }
      }),
    );
  });

  it("names the rule of each value, and what the contract does not know", () => {
    const text = `Here: {"id": "7", "name": "A \\"b\\"", "price": "1.234,50", tags: ["x","y"], "paid": yes, "extra": 12} (99 in all)`;
    expect(quoted(text)).toEqual({
      values: [
        ["/id", "7", "text_to_number"],
        ["/name", 'A \\"b\\"', "as_written"],
        ["/price", "1.234,50", "text_to_number"],
        ["/tags/0", "x", "as_written"],
        ["/tags/1", "y", "as_written"],
        ["/paid", "yes", "word_to_boolean"],
      ],
      unused: [
        ["extra", "12", "not_declared"],
        ["", "99", "unnamed"],
      ],
    });
  });

  it("tells a value that was left out from one that lost to another", () => {
    const text = 'price: 12\nHere: {"id": 1, "name": "Ann", "paid": true}\nid: 2';
    const repaired: Repaired = { ...repairedOf('{"id": 1, "name": "Ann"}'), notes: [] };
    const { unused } = evidenceOf(text, repaired, ORDER);
    expect(unused.map(({ name, reason }) => [name, reason])).toEqual([
      ["price", "left_out"],
      ["paid", "left_out"],
      ["id", "another_value"],
    ]);
  });

  const HOSTILE = ["\\", ",", ",a:", "1,", '"', ", ", '"a', "\n\t", "\n*"];
  it.each(HOSTILE)("searches a long run of %j in time that grows with the text", (piece) => {
    const value = Array.from({ length: 1_900 }, (_, n) => ({ a: `not "there" ${n}` }));
    const text = `1${piece.repeat(190_000 / piece.length)}2`;
    const startedMs = performance.now();
    evidenceOf(text, { value, notes: [] }, ORDER);
    // A quadratic search takes twenty seconds.
    expect(performance.now() - startedMs).toBeLessThan(4_000);
  });

  it("gives no place to a value of the contract, and none in a text that is too long", () => {
    const schema = { ...ORDER, required: ["id", "name", "kind"] };
    expect(quoted('{"id": 7, "name": "Ann",}', schema)).toMatchObject({
      values: [
        ["/id", "7", "as_written"],
        ["/name", "Ann", "as_written"],
        ["/kind", "default_filled"],
      ],
    });
    const long = JSON.stringify({ id: 7, name: "a".repeat(300_000) });
    const { values, unused } = evidenceOf(long, repairedOf(long), ORDER);
    expect(values.flatMap(({ spans }) => spans)).toEqual([]);
    expect(unused).toEqual([]);
  });
});
