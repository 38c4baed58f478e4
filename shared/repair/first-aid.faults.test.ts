import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstAid } from "./index.ts";
import { closed, integer, list, number, oneOf, readsAll, text } from "./testing/readings.ts";
import type { Row } from "./testing/readings.ts";

/** Classes of damage that were once read wrongly, each with its examples and, where there is one, its law. */

const word = fc
  .stringMatching(/^[A-Za-z][a-z]{2,8}$/)
  .filter((one) => !/^(?:true|false|null|none|nan|nil)$/i.test(one));
const name = fc.stringMatching(/^[a-z][a-z_]{2,8}$/);

const ESCAPED: readonly Row[] = [
  [
    "beside prose",
    'Reply: {"tool":"find","args":"{\\"q\\":1}"}',
    undefined,
    { tool: "find", args: '{"q":1}' },
  ],
  [
    "in a fence",
    '```json\n{"tool":"find","args":"{\\"q\\":1}"}\n```',
    closed({ tool: text, args: text }),
    { tool: "find", args: '{"q":1}' },
  ],
  [
    "asked for as an object",
    '```json\n{"tool":"find","args":"{\\"q\\":1}"}\n```',
    closed({ tool: text, args: closed({ q: integer }) }),
    { tool: "find", args: { q: 1 } },
  ],
  ["asked for alone", 'Call: {"tool":"find","args":"{\\"q\\":1}"}', closed({ q: integer }), { q: 1 }],
];

const STRUCTURE: readonly Row[] = [
  [
    "a row that never closed",
    '[{"sku":"A", {"sku":"B"}]',
    list(closed({ sku: text })),
    [{ sku: "A" }, { sku: "B" }],
  ],
  [
    "a row of plain numbers that never closed",
    '[{"a": 1, {"a": 2}, {"a": 3}]',
    undefined,
    [{ a: 1 }, { a: 2 }, { a: 3 }],
  ],
  [
    "a comma and marks that are missing",
    '{"city":"Oslo" zip: 179}',
    closed({ city: text, zip: integer }),
    { city: "Oslo", zip: 179 },
  ],
  ["an object without a name", '{"name":"x", {"q":1}}', undefined, undefined],
  ["a text cut inside a name", '{"city":"Oslo, "zi', closed({ city: text }), undefined],
  [
    "words with brackets",
    "[{id: a, sig: f(p: n, q: m)},{id: b, sig: g(x)}]",
    list(closed({ id: text, sig: text })),
    [
      { id: "a", sig: "f(p: n, q: m)" },
      { id: "b", sig: "g(x)" },
    ],
  ],
  [
    "a parenthesis before the end",
    '{"city":"Oslo","note":"call f("x")"}',
    undefined,
    { city: "Oslo", note: 'call f("x")' },
  ],
  ["a list of numbers that never closed", '{"a": [1, 2, "b": 3}', undefined, { a: [1, 2], b: 3 }],
];

const MEMBERS: readonly Row[] = [
  [
    "a level that is missing",
    '{"id":3,"name":"x","notes":{"k":1}}',
    closed({ user: closed({ id: integer, name: text }), notes: { type: "object" } }, ["user"]),
    { user: { id: 3, name: "x" }, notes: { k: 1 } },
  ],
  ["two spellings of one name", '{"qty":1,"Qty":2}', closed({ qty: integer }), undefined],
  ["two spellings with one value", '{"qty":1,"Qty":1}', closed({ qty: integer }), { qty: 1 }],
  ["a prototype as a wrapper", '{"__proto__":{"qty":1}}', closed({ qty: integer }), undefined],
  ["a prototype among members", '{"__proto__":{"qty":1},"qty":2}', closed({ qty: integer }), { qty: 2 }],
  [
    "a currency that contradicts",
    '{"amount":"€10","currency":"USD"}',
    closed({ amount: number, currency: text }),
    undefined,
  ],
  [
    "a currency around the list",
    '{"currency":"USD","lines":[{"amount":"€10"}]}',
    closed({ currency: text, lines: list(closed({ amount: number })) }),
    undefined,
  ],
  [
    "a dollar of another country",
    '{"amount":"$10","currency":"CAD"}',
    closed({ amount: number, currency: text }),
    { amount: 10, currency: "CAD" },
  ],
];

const ALTERED: readonly Row[] = [
  ["remarks that touch numbers", '{"a": 12/* x */, "b": 3// y\n}', undefined, { a: 12, b: 3 }],
  ["half a number", '{"a": 2e+}', undefined, undefined],
  ["marks and nothing else", "{;;;}", undefined, undefined],
  ["a regular expression's boundary", '{"re":"\\bID-\\d+"}', undefined, { re: "\\bID-\\d+" }],
  ["a plus in a text", '{"phone":+4722334455}', closed({ phone: text }), { phone: "+4722334455" }],
  ["a null in another case", '{"a": Null}', undefined, { a: null }],
  ["two members of an enum", "keep|drop", oneOf("keep", "drop"), undefined],
];

describe("escaped JSON inside an object", () => readsAll(ESCAPED));
describe("structure", () => readsAll(STRUCTURE));
describe("members", () => readsAll(MEMBERS));
describe("what is written", () => readsAll(ALTERED));

describe("laws", () => {
  test("an outer object is never given up for the JSON that one of its texts holds", () => {
    fc.assert(
      fc.property(
        name,
        name,
        fc.dictionary(name, fc.integer(), { minKeys: 1, maxKeys: 3 }),
        (one, other, inner) => {
          fc.pre(one !== other);
          const value = { [one]: "x", [other]: JSON.stringify(inner) };
          const result = firstAid(`The call: ${JSON.stringify(value)} as asked`);
          expect(result).toMatchObject({ ok: true, value });
        },
      ),
    );
  });

  test("no mark that is missing lets a string take in the members after it", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 3, maxLength: 4 }),
        fc.array(word, { minLength: 4, maxLength: 4 }),
        fc.nat(3),
        (names, words, at) => {
          const value = Object.fromEntries(names.map((key, index) => [key, words[index] ?? "x"]));
          const whole = JSON.stringify(value);
          const marks = [...whole.matchAll(/"/g)].map((mark) => mark.index);
          const gone = marks[4 * (at % names.length) + 3] ?? 0;
          const result = firstAid(
            whole.slice(0, gone) + whole.slice(gone + 1),
            closed(Object.fromEntries(names.map((key) => [key, text]))),
          );
          if (result.ok) expect(result.value).toEqual(value);
        },
      ),
    );
  });

  test("prose that says no is never an item or a member", () => {
    const noes = [
      "I am not able to list any cities.",
      "Sorry, I cannot do that",
      "Es tut mir leid, das geht nicht.",
      "Lo siento, no puedo.",
      "申し訳ありませんができません。",
      "As an AI I have no list.",
    ];
    for (const said of noes)
      for (const schema of [list(text), closed({ cities: list(text) }), closed({ answer: text })])
        expect(firstAid(said, schema), said).toMatchObject({ ok: false });
  });
});
