import { describe, expect, test } from "vitest";
import { firstAid } from "./index.ts";

const properties = {
  name: { type: "string" },
  age: { type: "integer" },
  email: { type: ["string", "null"] },
  tags: { type: "array", items: { type: "string" } },
  active: { type: "boolean" },
};
const PERSON = { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
const { name, age, active } = properties;
const PEOPLE = {
  type: "array",
  items: {
    type: "object",
    properties: { name, age, active },
    required: ["name", "age", "active"],
    additionalProperties: false,
  },
};
const ANN = { name: "Ann Lee", age: 42, email: null, tags: ["a", "b"], active: true };
const BOTH = [
  { name: "Ann Lee", age: 42, active: true },
  { name: "Bob", age: 7, active: false },
];

const PRINTED: Readonly<Record<string, string>> = {
  "a Kotlin data class": "Person(name=Ann Lee, age=42, email=null, tags=[a, b], active=true)",
  "a Python data class": "Person(name='Ann Lee', age=42, email=None, tags=['a', 'b'], active=True)",
  "Perl's Dumper":
    "$VAR1 = {\n  'name' => 'Ann Lee',\n  'age' => 42,\n  'email' => undef,\n  'tags' => [\n    'a',\n    'b'\n" +
    "  ],\n  'active' => 1\n};",
  "a call with names":
    '```python\nprint(save(name="Ann Lee", age=42, email=None, tags=["a","b"], active=True))\n```',
};

const TABLES: Readonly<Record<string, string>> = {
  "a table drawn with lines":
    "┌─────────┬─────┬────────┐\n│ name    │ age │ active │\n├─────────┼─────┼────────┤\n│ Ann Lee │ 42  │ true   │\n" +
    "│ Bob     │ 7   │ false  │\n└─────────┴─────┴────────┘",
  psql: " name    | age | active \n---------+-----+--------\n Ann Lee |  42 | t\n Bob     |   7 | f\n(2 rows)",
  "mysql's vertical rows":
    "*************************** 1. row ***************************\n  name: Ann Lee\n   age: 42\nactive: 1\n" +
    "*************************** 2. row ***************************\n  name: Bob\n   age: 7\nactive: 0",
  pandas: "      name  age  active\n0  Ann Lee   42    True\n1      Bob    7   False",
  "blocks of lines": "Name: Ann Lee\nAge: 42\nActive: yes\n\nName: Bob\nAge: 7\nActive: no",
  "numbered headings":
    "## Person 1\n- **Name:** Ann Lee\n- **Age:** 42\n- **Active:** yes\n\n## Person 2\n- **Name:** Bob\n" +
    "- **Age:** 7\n- **Active:** no",
};

const DATED = {
  type: "object",
  properties: { due: { type: "string", format: "date" } },
  required: ["due"],
};

describe("values in other notations", () => {
  test.each(Object.entries(PRINTED))("are read from %s", (_, text) => {
    expect(firstAid(text, PERSON)).toMatchObject({ ok: true, value: ANN });
  });

  test.each([
    "Mar 3, 2025",
    "Mon. March 3, 2025",
    "Montag, 3. März 2025",
    "lunedì 3 marzo 2025",
    "3 de marzo de 2025",
    "poniedziałek, 3 marca 2025",
    "3. března 2025",
    "3 марта 2025",
    "måndag 3 mars 2025",
  ])("are read from the date %s", (due) => {
    expect(firstAid(JSON.stringify({ due }), DATED)).toMatchObject({
      ok: true,
      value: { due: "2025-03-03" },
    });
  });

  test.each(["Dienstag, 3. März 2025", "3 jui 2025", "3 mono 2025"])("are not read from %s", (due) => {
    expect(firstAid(JSON.stringify({ due }), DATED)).toMatchObject({ ok: false });
  });

  test.each(Object.entries(TABLES))("are read as rows from %s", (_, text) => {
    expect(firstAid(text, PEOPLE)).toMatchObject({ ok: true, value: BOTH });
  });

  test("are read inside frames", () => {
    const yaml = "name: Ann Lee\nage: 42\nemail: null\ntags: [a, b]\nactive: true";
    const framed = [`Here it is:\n\n\`\`\`yaml\n${yaml}\n\`\`\``, `<answer>\n${yaml}\n</answer><|eot_id|>`];
    for (const text of framed) expect(firstAid(text, PERSON), text).toMatchObject({ ok: true, value: ANN });
  });
});

describe("members on another level", () => {
  const search = {
    type: "object",
    properties: {
      city: { type: "string" },
      guests: {
        type: "object",
        properties: { adults: { type: "integer" }, children: { type: "integer" } },
        required: ["adults", "children"],
        additionalProperties: false,
      },
      nights: { type: "integer" },
    },
    required: ["city", "guests", "nights"],
    additionalProperties: false,
  };
  const right = { city: "Oslo", guests: { adults: 2, children: 1 }, nights: 3 };

  test.each([
    ["beside their object", { city: "Oslo", adults: 2, children: 1, nights: 3 }],
    ["partly beside it", { city: "Oslo", guests: { adults: 2 }, children: 1, nights: 3 }],
    ["under a wrapper", { city: "Oslo", details: { guests: { adults: 2, children: 1 }, nights: 3 } }],
  ])("are moved from %s", (_, value) => {
    expect(firstAid(JSON.stringify(value), search)).toMatchObject({ ok: true, value: right });
  });

  test.each([
    ["a failure stands beside", { status: "failed", details: { ...right } }],
    ["the wrapper is an example", { example: { ...right } }],
    ["one is missing", { city: "Oslo", adults: 2, nights: 3 }],
  ])("are left where %s", (_, value) => {
    expect(firstAid(JSON.stringify(value), search)).toMatchObject({ ok: false });
  });
});

test("data that no value holds is a refusal", () => {
  const schema = {
    type: "array",
    items: { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
  };
  const text = 'found:\n[{"a": "1", "b": "2"}]\nand also "a": "3", "b": "4"';
  expect(firstAid(text, schema)).toMatchObject({ ok: false, code: "ambiguous" });
});
