import { describe } from "vitest";
import { closed, integer, list, named, number, oneOf, readsAll, text } from "./testing/readings.ts";
import type { TextRow } from "./testing/readings.ts";

/** Texts from which a plausible reading would leave data out, or take back what it says. */

describe("nothing is lost: data beside what was read", () => {
  readsAll(
    (
      [
        ['{"notify":["page"r,"slack"]}', closed({ notify: list(text) }), undefined],
        ['{"notify":["page"r,"slack"]}', undefined, undefined],
        ['{"tags":["red"x,"blue","green"]}', undefined, undefined],
        [
          '{"title":"x","ttendees":["Ann","Bo"]}',
          closed({ title: text, attendees: list(text) }, ["title"]),
          undefined,
        ],
        [
          '{"title":"x","articipants":[{"name":"Ann"}]}',
          closed({ title: text, participants: list(closed({ name: text })) }, ["title"]),
          undefined,
        ],
        [
          '{"title":"x","mailto":"a@example.org","emial":"b@example.org"}',
          closed({ title: text, email: text }, ["title"]),
          { title: "x", email: "b@example.org" },
        ],
        [
          '{"title":"x","debug":true}',
          closed({ title: text, attendees: list(text) }, ["title"]),
          { title: "x" },
        ],
        ['{"key":"v"}, "key2" "v2"}', undefined, undefined],
        ['{"key":"v"}, "key2" "v2"}', closed({ key: text, key2: text }, ["key"]), undefined],
        ['{"a":1}, b: 2}', undefined, { a: 1, b: 2 }],
        [
          'Here it is: {"key":"v"}, "key2": "v2", "key3" "v3"}',
          closed({ key: text, key2: text, key3: text }, ["key"]),
          { key: "v", key2: "v2", key3: "v3" },
        ],
        ['{"doc":"Use ```json\n{}\n``` here","n":1', undefined, { doc: "Use ```json\n{}\n``` here", n: 1 }],
        [
          '{"doc":"Use ```json\n{}\n``` to answer, "n":1}',
          undefined,
          { doc: "Use ```json\n{}\n``` to answer", n: 1 },
        ],
        [
          '{"steps": "run ```sh\nls {}\n``` and "go" on", "n" 1, "m": "x}',
          undefined,
          { steps: 'run ```sh\nls {}\n``` and "go" on', n: 1, m: "x" },
        ],
        [
          "Status is approved for order 7, but rejected later by Ann",
          oneOf("approved", "rejected"),
          undefined,
        ],
        ["The result: [1, 2, 3].", list(integer), [1, 2, 3]],
        ['{"a": {"b": 1}, c} {"d": 2}', undefined, undefined],
        ['I found 3 hits: {"city": "Oslo"}', closed({ city: text }), { city: "Oslo" }],
        [
          '{"id":"A","amount":4,"note":"please refund 30"}',
          closed({ id: text, amount: number, currency: text }, ["id", "amount"]),
          { id: "A", amount: 4 },
        ],
        [
          '{"id":"A","amount":4,"currencyy":"EUR"}',
          closed({ id: text, amount: number, currency: text }, ["id", "amount"]),
          { id: "A", amount: 4, currency: "EUR" },
        ],
        [
          '{"id":"A","amount":4,"curr":"EUR"}',
          closed({ id: text, amount: number, currency: text }, ["id", "amount"]),
          undefined,
        ],
        [
          'Result {"id":"A", "amount": 4} "currency": "EUR"',
          closed({ id: text, amount: number, currency: text }, ["id", "amount"]),
          undefined,
        ],
      ] satisfies TextRow[]
    ).map(named),
  );
});

describe("nothing is lost: an answer and what contradicts it", () => {
  readsAll(
    (
      [
        [
          '{"id": "A", "amount": 40}\nSorry, the amount should be 42.',
          closed({ id: text, amount: number, currency: text }, ["id", "amount"]),
          undefined,
        ],
        [
          '{"id": "A", "amount": 40}\n\nWait, amount is actually 42',
          closed({ id: text, amount: number, currency: text }, ["id", "amount"]),
          undefined,
        ],
        [
          '{"id": "A", "amount": 40}\nCorrection: amount = 42',
          closed({ id: text, amount: number, currency: text }, ["id", "amount"]),
          undefined,
        ],
        [
          '```json\n{"id": "A", "amount": 40}\n```\nActually, the amount should be 42, not 40.',
          closed({ id: text, amount: number, currency: text }, ["id", "amount"]),
          undefined,
        ],
        [
          '{"id": "A", "amount": 40}\nLet me know if the amount should be different.',
          closed({ id: text, amount: number, currency: text }, ["id", "amount"]),
          { id: "A", amount: 40 },
        ],
        [
          '{"id": "A", "amount": 40}\nThe amount is 40 as stated.',
          closed({ id: text, amount: number, currency: text }, ["id", "amount"]),
          { id: "A", amount: 40 },
        ],
        [
          '{"id": "A", "amount": 40}\nI was wrong about the currency, it must be USD.',
          closed({ id: text, amount: number, currency: text }, ["id", "amount"]),
          undefined,
        ],
        [
          "| item | qty |\n|---|---|\n| A | 2 |\n| B | 3 |\n| Total | 5 |",
          list(closed({ item: text, qty: integer })),
          undefined,
        ],
        ["item,qty\nA,2\nB,3\nTotal,5", list(closed({ item: text, qty: integer })), undefined],
        [
          "| item | qty |\n|---|---|\n| A | 2 |\n| Total Cereal | 3 |",
          list(closed({ item: text, qty: integer })),
          [
            { item: "A", qty: 2 },
            { item: "Total Cereal", qty: 3 },
          ],
        ],
        [
          "base: &b\n  city: Oslo\nother: *b",
          closed({ base: closed({ city: text }), other: closed({ city: text }) }),
          undefined,
        ],
        ["a: &x 3\nb: *x", closed({ a: integer, b: integer }), undefined],
        ["a: &x Oslo\nb: *x", closed({ a: text, b: text }), undefined],
        ['a: "*x"\nb: Oslo', closed({ a: text, b: text }), { a: "*x", b: "Oslo" }],
        ["a:\n  <<: *base\n  city: Oslo", closed({ a: closed({ city: text }) }), undefined],
      ] satisfies TextRow[]
    ).map(named),
  );
});

const NOTES = closed({ summary: text, key_points: list(text) });
const SUMMARY = "## Summary\nUp.\n\n## Key points\n- a\n- b";
const TABLE = "## City\nOslo\n\n## Lines\n| sku | qty |\n|---|---|\n| A | 2 |\n| B | 1 |\n";
const ORDER = closed({ city: text, lines: list(closed({ sku: text, qty: integer })) });

describe("nothing is lost: names with text, bullets or a table below them", () => {
  readsAll(
    (
      [
        [`Here it is:\n\n${SUMMARY}`, NOTES, { summary: "Up.", key_points: ["a", "b"] }],
        [`${SUMMARY}\n\n## Risks\n- war`, NOTES, undefined],
        [`${SUMMARY}\n- ...`, NOTES, undefined],
        [`${SUMMARY}\n- and 3 more`, NOTES, undefined],
        [`${SUMMARY}\n\n(3 more items omitted)`, NOTES, undefined],
        ["## City\nOslo\n\n## City\nBergen", closed({ city: text }), undefined],
        [`${TABLE}| Total | 5 |`, ORDER, undefined],
        [
          "## City\nOslo\n\n## Zip\n179\n\nWait, that is wrong: the zip is 180.",
          closed({ city: text, zip: integer }),
          undefined,
        ],
      ] satisfies TextRow[]
    ).map(named),
  );
});
