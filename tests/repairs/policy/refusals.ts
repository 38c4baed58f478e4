import {
  ADDRESS,
  boolean,
  CITY,
  closed,
  integer,
  list,
  oneOf,
  QTY,
  read,
  refuse,
  TAGS,
  text,
} from "../contracts.ts";
import type { PolicyRow } from "../contracts.ts";

export const CHOICES: readonly PolicyRow[] = [
  read(
    "several values, one fits",
    ['First {"a": 1}, then {"city": "Oslo"}', { city: "Oslo" }, CITY],
    "All but one violate the contract.",
  ),
  read("one value twice", ['{"a": 1}\n\nAgain: {"a": 1}', { a: 1 }, closed({ a: integer })], "They agree."),
  refuse(
    "several values that fit",
    ['{"city": "Oslo"} or {"city": "Bergen"}', "ambiguous", CITY],
    "Nothing tells which one; both are given back.",
  ),
  refuse(
    "two alternatives of a union",
    ["high or low", "ambiguous", { anyOf: [{ const: "high" }, { const: "low" }] }],
    "The text names both.",
  ),
  read(
    "one alternative of a union",
    [
      '{"type": "card", "last4": "4242"}',
      { type: "card", last4: "4242" },
      {
        anyOf: [
          closed({ type: { const: "card" }, last4: text }),
          closed({ type: { const: "iban" }, iban: text }),
        ],
      },
    ],
    "The constant tells them apart.",
  ),
];

export const LEFT_BESIDE: readonly PolicyRow[] = [
  refuse(
    "item that does not fit",
    ['{"n": 1}\n\n{"n": "many"}', "ambiguous", list(closed({ n: integer }))],
    "No list is made of one item where two stand.",
  ),
  refuse(
    "name in brackets",
    ["The answer of [w-1] is late.", "no_json", list(text)],
    "It is an aside, and no list.",
  ),
  read(
    "value taken back",
    ['{"tags": "?"}\nThat was wrong, let me redo it.\n{"tags": ["a"]}', { tags: ["a"] }, TAGS],
    "The text says that the first one does not count.",
  ),
];

export const MISSING: readonly PolicyRow[] = [
  refuse("required member", ['{"city": "Oslo"}', "missing", ADDRESS], "Values are never invented."),
  read(
    "required member with a default",
    [
      '{"city": "Oslo"}',
      { city: "Oslo", country: "NO" },
      closed({ city: text, country: { ...text, default: "NO" } }),
    ],
    "The contract says what stands for nothing.",
  ),
  refuse(
    "null for a required member",
    ['{"zip": null}', "mismatch", closed({ zip: integer })],
    "Null is no value.",
  ),
  read(
    "null for an optional member",
    ['{"city": "Oslo", "zip": null}', { city: "Oslo" }, closed({ city: text, zip: integer }, ["city"])],
    "Absent means the same.",
  ),
  refuse(
    "bad value with a default",
    ['{"n": "many"}', "mismatch", closed({ n: { ...integer, default: 1 } })],
    "A default stands for nothing, not for something else.",
  ),
  refuse("name without a value", ['{"city": , "zip": 179}', "missing", ADDRESS], "Its value is lost."),
];

export const CUT: readonly PolicyRow[] = [
  refuse("inside a text", ['{"city": "Os', "cut", CITY], "Half a text fits, and is wrong."),
  refuse(
    "inside a number",
    ['{"zip": 17', "cut", closed({ zip: integer })],
    "Half a number fits, and is wrong.",
  ),
  refuse("inside a name", ['{"city": "Oslo", "zi', "cut", CITY], "A member is lost."),
  refuse("after a comma", ["[1, 2,", "cut", list(integer)], "An item is lost."),
  read("before the closers", ['{"city": "Oslo"', { city: "Oslo" }, CITY], "The value is complete."),
  refuse(
    "ellipsis",
    ['{"rows": [1, 2, ...]}', "cut", closed({ rows: list(integer) })],
    "The text says that it leaves out.",
  ),
  refuse(
    "comment for the rest",
    ['{"rows": [1, 2] // more rows\n}', "cut", closed({ rows: list(integer) })],
    "The text says that it leaves out.",
  ),
  refuse(
    "line for what was taken out",
    ['{"city": "Oslo\n<output truncated>\n", "zip": 179}', "cut", ADDRESS],
    "The text says that a part is gone.",
  ),
  refuse(
    "the beginning, with a constant",
    ['"city": "Oslo"}', "cut", closed({ kind: { const: "place" }, city: text })],
    "What else stood there nobody knows.",
  ),
  read(
    "cut, without a contract",
    ['{"a": "x", "b": "y', { a: "x", b: "y" }],
    "The part that is there, with a note.",
  ),
];

export const PROSE: readonly PolicyRow[] = [
  refuse("apology", ["I am not able to list any cities.", "no_json", list(text)], "Prose is never an item."),
  refuse(
    "apology in another language",
    ["Es tut mir leid, das geht nicht.", "mismatch", closed({ answer: text })],
    "Prose is never a member.",
  ),
  refuse("question back", ["Which city do you mean?", "mismatch", CITY], "Prose is never a member."),
  read(
    "prose for a contract of text",
    ["Dear Ann, all is well.", "Dear Ann, all is well.", text],
    "Any text fits.",
  ),
  refuse("prose for a number", ["I would say quite a lot.", "mismatch", integer], "No number is named."),
  refuse(
    "prose for a word",
    ["It may be either of them.", "mismatch", oneOf("keep", "drop")],
    "No member is named.",
  ),
  refuse("prose for yes or no", ["That depends on the weather.", "mismatch", boolean], "Neither is said."),
  refuse("empty text", ["", "no_json", text], "There is no answer."),
];

export const LIMITS: readonly PolicyRow[] = [
  refuse("prototype", ['{"__proto__": {"qty": 1}}', "unsafe_name"], "The name attacks JavaScript objects."),
  refuse("prototype as a wrapper", ['{"__proto__": {"qty": 1}}', "missing", QTY], "It is never unwrapped."),
  read(
    "prototype in a closed contract",
    ['{"__proto__": {"qty": 1}, "qty": 2}', { qty: 2 }, QTY],
    "Dropped as every member that is too much.",
  ),
  refuse(
    "locked member",
    ['{"id": " 7 "}', "locked", closed({ id: { type: "string", pattern: "^[0-9]$", "x-locked": true } })],
    "Only a person may write it.",
  ),
  refuse("too deep", [`${"[".repeat(200)}${"]".repeat(200)}`, "too_deep"], "128 levels are read."),
  read(
    "blanks around a text with a pattern",
    ['{"sku": " A1 "}', { sku: "A1" }, closed({ sku: { type: "string", pattern: "^A1$" } })],
    "The pattern leaves no room for them.",
  ),
  read(
    "blanks around a free text",
    ['{"note": " A1 ", "n": "1"}', { note: " A1 ", n: 1 }, closed({ note: text, n: integer })],
    "A text is left as it is.",
  ),
  refuse(
    "text that is too long",
    ['{"note": "a long story"}', "mismatch", closed({ note: { type: "string", maxLength: 6 } })],
    "Texts are never cut to fit.",
  ),
];
