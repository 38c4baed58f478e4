import { describe } from "vitest";
import { closed, integer, list, oneOf, readsAll, text } from "./testing/readings.ts";
import type { Row } from "./testing/readings.ts";

/** Texts of which a plausible reading is wrong: each class with what is read and what is refused. */

const person = closed({ name: text, city: text });
const order = closed({ kind: { const: "order" }, id: text, note: text }, ["kind", "id"]);
const LEVELS = oneOf("high", "low");

const DENIED: readonly Row[] = [
  ...[
    "anything but high",
    "everything except low",
    "all but high",
    "other than low",
    "far from high",
    "alles außer high",
    "tout sauf low",
    "menos high",
  ].map((said): Row => [said, JSON.stringify({ level: said }), closed({ level: LEVELS }), undefined]),
  ["a member in a sentence", '{"level": "I would say high."}', closed({ level: LEVELS }), { level: "high" }],
  ["none as a member", "{ kind: none }", closed({ kind: oneOf("none", "mail") }, []), { kind: "none" }],
  ["none as no value", "{ kind: none }", closed({ kind: oneOf("fax", "mail") }, []), {}],
];

const NAMES: readonly Row[] = [
  [
    "a colon inside the quotes",
    "{'city:': 'Oslo', 'zip': 1}",
    closed({ city: text, zip: integer }),
    { city: "Oslo", zip: 1 },
  ],
  [
    "a colon inside the quotes of a later name",
    "{'zip': 1, 'city:': 'Oslo',}",
    undefined,
    { zip: 1, "city:": "Oslo" },
  ],
  ["a name with a prefix", "{'dc:title': 'x', 'a': 1}", undefined, { "dc:title": "x", a: 1 }],
  ["an end quote that is missing", '{"city: "Oslo", "zip": 1}', undefined, { city: "Oslo", zip: 1 }],
];

const LOST: readonly Row[] = [
  [
    "an item that does not fit",
    '{"id": "a", "n": 1}\n\n{"id": "b", "n": "many"}',
    list(closed({ id: text, n: integer })),
    undefined,
  ],
  ["text within a value", '{"name": "Ann", "city": Os [...] lo}', person, undefined],
  [
    "nothing in a quotation with an ellipsis",
    '{"name": "a [...] b", "city": "the "best" one"}',
    person,
    { name: "a [...] b", city: 'the "best" one' },
  ],
  ["text and the marks around it", '{"name": "An [...] "city": "Oslo"}', person, undefined],
  ["the last name's colon", "{name: Ann; or Bob\ncity: Oslo}", person, { name: "Ann; or Bob", city: "Oslo" }],
  ["the rest of a quoted cell", 'name,Ann\ncity,"Oslo\n\nin the North"', person, undefined],
  [
    "the brace of whole members",
    '"id": "A1", "note": "x"}',
    closed({ id: text, note: text }),
    { id: "A1", note: "x" },
  ],
  ["the beginning, with a constant", '"id": "A1",\n"note": "x"\n}', order, undefined],
  ["lines inside a text", '{"name": "Ann\n<output truncated>\n Lee", "city": "Oslo"}', person, undefined],
  ["a value", '{"name":\n[... 40 characters omitted ...]\n, "city": "Oslo"}', person, undefined],
  ["members", '{"name": "Ann",\n--- truncated ---\n"city": "Oslo"}', person, undefined],
  [
    "nothing where a text says so",
    '{"name": "Ann\nsnip snap", "city": "Oslo"}',
    person,
    { name: "Ann\nsnip snap", city: "Oslo" },
  ],
];

const AROUND: readonly Row[] = [
  ["numbers of lines", ' 1 | [\n 2 |   "Ann",\n 3 |   "Bob"\n 4 | ]', list(text), ["Ann", "Bob"]],
  [
    "marks of a diff",
    "+[\n+  'name' => 'a\n+    b',\n+  'city' => 'Oslo'\n+]",
    person,
    { name: "a\n    b", city: "Oslo" },
  ],
  [
    "a block that is indented with its texts",
    "answer: |\n  {\n    name: `a\n  b`, city: `Oslo`\n  }",
    person,
    { name: "a\nb", city: "Oslo" },
  ],
  [
    "a list of templates twice",
    "[\n  `O'Brien`,\n  `Ann`\n]\n\n[\n  `O'Brien`,\n  `Ann`\n]",
    list(text),
    ["O'Brien", "Ann"],
  ],
  ["a name in brackets", "<b>\n10:00 [w-1] x\n10:01 [w-1] y\n</b>", list(text), undefined],
  [
    "an answer that was taken back",
    '{"tags": "??"}\nThat was wrong, let me redo it.\n{"tags": ["a"]}',
    closed({ tags: list(text) }),
    { tags: ["a"] },
  ],
  [
    "an answer before a wrong one",
    '{"tags": ["a"]}\nWrong: {"tags": ["b"]}',
    closed({ tags: list(text) }),
    undefined,
  ],
  [
    "breaks and quotes that are escaped",
    'The list:\n[\\n  \\"Ann\\",\\n  \\"Bob\\"\\n]',
    list(text),
    ["Ann", "Bob"],
  ],
  [
    "a number sign in a text",
    "name: Order #1042 asks\ncity: Oslo # where",
    person,
    { name: "Order #1042 asks", city: "Oslo" },
  ],
  ["a tab in a block", "name: |-\n  a\n  \tb\ncity: Oslo", person, { name: "a\n\tb", city: "Oslo" }],
];

const steps = closed({ steps: list(text) });
const line = closed({ code: text, kind: text }, ["code"]);

const UNQUOTED: readonly Row[] = [
  [
    "a semicolon beside commas",
    "{steps: [Bake; cool down, Serve]}",
    steps,
    { steps: ["Bake; cool down", "Serve"] },
  ],
  ["a semicolon alone, between words", "{steps: [Bake it; cool down]}", steps, undefined],
  [
    "semicolons between single words",
    "{steps: [bake; cool; serve]}",
    steps,
    { steps: ["bake", "cool", "serve"] },
  ],
  [
    "a semicolon at the end of a text",
    '{kind: x, code: const a = "y"; }',
    line,
    { kind: "x", code: 'const a = "y";' },
  ],
  ["semicolons between members", "{code: a; kind: b;}", line, { code: "a", kind: "b" }],
  [
    "a quotation behind a quoted item",
    '{steps: ["Mix, stir", Heat it all, Serve "warm"]}',
    steps,
    { steps: ["Mix, stir", "Heat it all", 'Serve "warm"'] },
  ],
  ["lines that YAML would join", '{kind: a b, code: "one\n\n    two"}', line, undefined],
  [
    "lines in a text beside quoted ones",
    '{"kind": "a b", "code": "one\n    two"}',
    line,
    { kind: "a b", code: "one\n    two" },
  ],
];

describe("what is denied", () => readsAll(DENIED));
describe("names", () => readsAll(NAMES));
describe("texts without quotes", () => readsAll(UNQUOTED));
describe("what is lost", () => readsAll(LOST));
describe("what stands around", () => readsAll(AROUND));
