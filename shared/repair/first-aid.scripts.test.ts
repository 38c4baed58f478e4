import { describe } from "vitest";
import { boolean, closed, integer, list, named, number, readsAll, text } from "./testing/readings.ts";
import type { TextRow } from "./testing/readings.ts";

/** Numbers, marks and quotes of other scripts and countries, and values without a contract. */

describe("scripts and marks: digits, commas, currencies and signs", () => {
  readsAll(
    (
      [
        ['{"amount": "١٢٣٫٥"}', closed({ amount: number }), { amount: 123.5 }],
        ['{"amount": ٤٢}', closed({ amount: integer }), { amount: 42 }],
        ['{"n": "१२३"}', closed({ n: integer }), { n: 123 }],
        ['{"n": ۱۲}', closed({ n: integer }), { n: 12 }],
        ['{"n": "１２３"}', closed({ n: integer }), { n: 123 }],
        ['{"a": 1، "b": 2}', closed({ a: integer, b: integer }), { a: 1, b: 2 }],
        [
          "{«city»: «Oslo», «days»: 2}",
          closed({ city: text, days: integer }, ["city"]),
          { city: "Oslo", days: 2 },
        ],
        ["{ « city » : « Oslo » }", closed({ city: text }), { city: "Oslo" }],
        ['{"city": "⁨Oslo⁩"}', closed({ city: text }), { city: "⁨Oslo⁩" }],
        ['⁧{"city": "Oslo"}⁩', closed({ city: text }), { city: "Oslo" }],
        ['{⁨"days"⁩: ⁨12⁩}', closed({ days: integer }), { days: 12 }],
        ['{"days": "⁨12⁩"}', closed({ days: integer }), { days: 12 }],
        ['{"amount": "12,34,567.50"}', closed({ amount: number }), { amount: 1234567.5 }],
        ['{"amount": 1,23,456}', closed({ amount: integer }), { amount: 123456 }],
        ['{"amount_inr": "₹ 1,23,456"}', closed({ amount_inr: number }), { amount_inr: 123456 }],
        [
          '{"amount": "R$ 1.234,56"}',
          closed({ amount: { type: "number", description: "Amount in BRL" } }),
          { amount: 1234.56 },
        ],
        [
          '{"price": "R$ 12,50", "currency": "BRL"}',
          closed({ price: number, currency: text }),
          { price: 12.5, currency: "BRL" },
        ],
        [
          '{"price": "1 250 kr", "currency": "SEK"}',
          closed({ price: number, currency: text }),
          { price: 1250, currency: "SEK" },
        ],
        [
          '{"price": "kr 99,50", "currency": "NOK"}',
          closed({ price: number, currency: text }),
          { price: 99.5, currency: "NOK" },
        ],
        ['{"price": "99 kr", "currency": "EUR"}', closed({ price: number, currency: text }), undefined],
        [
          '{"price": "1.250 kr."}',
          closed({ price: { type: "number", description: "in DKK" } }),
          { price: 1250 },
        ],
        ['{"amount": "(1,234.50)"}', closed({ amount: number }), { amount: -1234.5 }],
        [
          '{"amount": "($45.00)"}',
          closed({ amount: { type: "number", description: "in USD" } }),
          { amount: -45 },
        ],
        ['{"amount": "(3)"}', closed({ count: integer, amount: integer }, ["amount"]), undefined],
        ['{"amount": "１，２３４"}', closed({ amount: integer }), { amount: 1234 }],
        ['{"amount": "1’234.50"}', closed({ amount: number }), { amount: 1234.5 }],
        ['{"ok": "نعم"}', closed({ ok: boolean }), undefined],
        ['{"amount": "45,00-"}', closed({ amount: number }), { amount: -45 }],
        ['{"name": "علی", "age": "۲۵"}', closed({ name: text, age: integer }), { name: "علی", age: 25 }],
        ['{"items": ["a"، "b"، "c"]}', closed({ items: list(text) }), { items: ["a", "b", "c"] }],
        ['{"note": "x، y", "n": ١}', closed({ note: text, n: integer }), { note: "x، y", n: 1 }],
        ['{"n": ١٢}', undefined, { n: 12 }],
      ] satisfies TextRow[]
    ).map(named),
  );
});

describe("scripts and marks: quotes of two kinds", () => {
  readsAll(
    (
      [
        ['{"r": \'first’, "n": 4}', closed({ r: text, n: integer }, ["r"]), { r: "first", n: 4 }],
        ['{"r": \'first’, "n": 4}', undefined, { r: "first", n: 4 }],
        ['{"r": "first”, "n": 4}', closed({ r: text, n: integer }), { r: "first", n: 4 }],
        ['{"r": “first", "n": 4}', closed({ r: text, n: integer }), { r: "first", n: 4 }],
        ['{"r": "first”}', closed({ r: text }), { r: "first" }],
        ['{"a": ["x”, "y"]}', closed({ a: list(text) }), { a: ["x", "y"] }],
        ["{'r': 'it’s fine', 'n': 4}", closed({ r: text, n: integer }), { r: "it’s fine", n: 4 }],
        [
          '{"r": "he said “hi”, then left", "n": 4}',
          closed({ r: text, n: integer }),
          { r: "he said “hi”, then left", n: 4 },
        ],
        ['{"r": "open “x”", "n": 4}', closed({ r: text, n: integer }), { r: "open “x”", n: 4 }],
        ['{"r": «first", "n": 4}', closed({ r: text, n: integer }, ["r"]), { r: "first", n: 4 }],
        ['[{{"a":1},{"a":2}]', list(closed({ a: integer }, [])), undefined],
        ['[{{"a":1},{"a":2}]', undefined, undefined],
        ['{{"a":1}}', undefined, { a: 1 }],
        ['{"a":\\n 1, "b":\\n"x"}', closed({ a: integer, b: text }), { a: 1, b: "x" }],
        ['{"a":\\n{"b": 1}}', undefined, { a: { b: 1 } }],
        ['{"path": "C:\\\\n", "a":\\n 1}', undefined, { path: "C:\\n", a: 1 }],
        ['{"a": \'x", "b": \'y\'}', closed({ a: text, b: text }, ["a"]), { a: "x", b: "y" }],
        ['{"a": "x\', "b": "y"}', closed({ a: text, b: text }, ["a"]), { a: "x", b: "y" }],
        ['{"a": "x`, "b": 2}', undefined, { a: "x", b: 2 }],
        ["{“a”: “x”, “b”: “y”}", undefined, { a: "x", b: "y" }],
        ["{„a“: „x“}", undefined, { a: "x" }],
        ["{'a': 'x‘, 'b': 2}", closed({ a: text, b: integer }, ["a"]), { a: "x", b: 2 }],
      ] satisfies TextRow[]
    ).map(named),
  );
});

describe("scripts and marks: without a contract", () => {
  readsAll(
    (
      [
        ['{"a": , }', undefined, { a: null }],
        ['{"a":}', undefined, { a: null }],
        ['{"a":,"b":1}', closed({ a: integer, b: integer }), undefined],
        ['{"a":,"b":1}', closed({ a: integer, b: integer }, ["b"]), undefined],
        ['{"a":,"b":1}', undefined, { a: null, b: 1 }],
        ["1, 2, 3", undefined, undefined],
        ['"a", "b"', undefined, undefined],
        ["(1)", undefined, 1],
        ["(1,)", undefined, [1]],
        ["(1, 2)", undefined, [1, 2]],
        ['("a")', undefined, "a"],
        ['{"a": (1), "b": (1,)}', undefined, { a: 1, b: [1] }],
        ["1,234", undefined, undefined],
        ["12,5", undefined, undefined],
        ["1,2,3", list(integer), undefined],
      ] satisfies TextRow[]
    ).map(named),
  );
});
