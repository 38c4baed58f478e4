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
  "PHP's print_r":
    "Array\n(\n    [name] => Ann Lee\n    [age] => 42\n    [email] => \n    [tags] => Array\n        (\n" +
    "            [0] => a\n            [1] => b\n        )\n\n    [active] => 1\n)\n",
  "PHP's var_export":
    "array (\n  'name' => 'Ann Lee',\n  'age' => 42,\n  'email' => NULL,\n  'tags' => \n  array (\n" +
    "    0 => 'a',\n    1 => 'b',\n  ),\n  'active' => true,\n)",
  "Java's toString": "Person{name='Ann Lee', age=42, email=null, tags=[a, b], active=true}",
  "a Java map": "{name=Ann Lee, age=42, email=null, tags=[a, b], active=true}",
  "a Kotlin data class": "Person(name=Ann Lee, age=42, email=null, tags=[a, b], active=true)",
  "Go's %+v": "{Name:Ann Lee Age:42 Email:<nil> Tags:[a b] Active:true}",
  "Go's %#v":
    'main.Person{Name:"Ann Lee", Age:42, Email:(*string)(nil), Tags:[]string{"a", "b"}, Active:true}',
  "Rust's Debug": 'Person { name: "Ann Lee", age: 42, email: None, tags: vec!["a", "b"], active: true }',
  "a C# record": "Person { Name = Ann Lee, Age = 42, Email = , Tags = [a, b], Active = True }",
  "a C# initialiser":
    'new Person { Name = "Ann Lee", Age = 42, Email = null, Tags = new[] { "a", "b" }, Active = true }',
  "Ruby's inspect": '#<Person:0x0001 @name="Ann Lee", @age=42, @email=nil, @tags=["a", "b"], @active=true>',
  "a Python data class": "Person(name='Ann Lee', age=42, email=None, tags=['a', 'b'], active=True)",
  pydantic: "name='Ann Lee' age=42 email=None tags=['a', 'b'] active=True",
  "a Scala map": "Map(name -> Ann Lee, age -> 42, email -> null, tags -> List(a, b), active -> true)",
  "a Haskell record": 'Person {name = "Ann Lee", age = 42, email = Nothing, tags = ["a","b"], active = True}',
  "an Erlang map":
    '#{name => <<"Ann Lee">>,age => 42,email => null,tags => [<<"a">>,<<"b">>],active => true}',
  "Perl's Dumper":
    "$VAR1 = {\n  'name' => 'Ann Lee',\n  'age' => 42,\n  'email' => undef,\n  'tags' => [\n    'a',\n    'b'\n" +
    "  ],\n  'active' => 1\n};",
  "a Lua table": '{ name = "Ann Lee", age = 42, email = nil, tags = { "a", "b" }, active = true }',
  EDN: '{:name "Ann Lee", :age 42, :email nil, :tags ["a" "b"], :active true}',
  "EDN without commas": '{:name "Ann Lee" :age 42 :email nil :tags ["a" "b"] :active true}',
  "a Kotlin map":
    'mapOf("name" to "Ann Lee", "age" to 42, "email" to null, "tags" to listOf("a","b"), "active" to true)',
  "a PowerShell hash": "@{name='Ann Lee'; age=42; email=$null; tags=@('a','b'); active=$true}",
  "a call with names":
    '```python\nprint(save(name="Ann Lee", age=42, email=None, tags=["a","b"], active=True))\n```',
};

const TABLES: Readonly<Record<string, string>> = {
  "HTML rows":
    "<table><tr><th>name</th><th>age</th><th>active</th></tr>\n<tr><td>Ann Lee</td><td>42</td><td>true</td></tr>" +
    "<tr><td>Bob</td><td>7</td><td>false</td></tr></table>",
  "a wiki table with a caption, a cell a line":
    "{|\n|+ People\n! name\n! age\n! active\n|-\n| Ann Lee\n| 42\n| true\n|-\n| Bob\n| 7\n| false\n|}",
  "an INSERT with names in brackets":
    "INSERT INTO people ([name], [age], [active]) VALUES ('Ann Lee', 42, TRUE), ('Bob', 7, FALSE)",
  "a table drawn with lines":
    "┌─────────┬─────┬────────┐\n│ name    │ age │ active │\n├─────────┼─────┼────────┤\n│ Ann Lee │ 42  │ true   │\n" +
    "│ Bob     │ 7   │ false  │\n└─────────┴─────┴────────┘",
  "a wiki table":
    '{| class="wikitable"\n! name !! age !! active\n|-\n| Ann Lee || 42 || true\n|-\n| Bob || 7 || false\n|}',
  "TeX rows": "name & age & active \\\\\nAnn Lee & 42 & true \\\\\nBob & 7 & false \\\\",
  "an INSERT": "INSERT INTO people (name, age, active) VALUES ('Ann Lee', 42, TRUE), ('Bob', 7, FALSE);",
  psql: " name    | age | active \n---------+-----+--------\n Ann Lee |  42 | t\n Bob     |   7 | f\n(2 rows)",
  "mysql's vertical rows":
    "*************************** 1. row ***************************\n  name: Ann Lee\n   age: 42\nactive: 1\n" +
    "*************************** 2. row ***************************\n  name: Bob\n   age: 7\nactive: 0",
  pandas: "      name  age  active\n0  Ann Lee   42    True\n1      Bob    7   False",
  "blocks of lines": "Name: Ann Lee\nAge: 42\nActive: yes\n\nName: Bob\nAge: 7\nActive: no",
  "numbered headings":
    "## Person 1\n- **Name:** Ann Lee\n- **Age:** 42\n- **Active:** yes\n\n## Person 2\n- **Name:** Bob\n" +
    "- **Age:** 7\n- **Active:** no",
  "cells below names":
    '{"values":[["name","age","active"],["Ann Lee",42,true],["Bob",7,false]],"range":"A1:C3"}',
  "columns with types":
    '{"cols":[{"id":"name"},{"id":"age"},{"id":"active"}],"rows":[{"c":[{"v":"Ann Lee"},{"v":42},{"v":true}]},' +
    '{"c":[{"v":"Bob"},{"v":7},{"v":false}]}]}',
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

  test("keep words of types that stand in a text", () => {
    const note = "a new list (draft), []string{x} and (*string)(nil)";
    const schema = { type: "object", properties: { note: { type: "string" } }, required: ["note"] };
    expect(firstAid(`%{"note" => "${note}"}`, schema)).toMatchObject({ ok: true, value: { note } });
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

  test("are read inside frames, and frames inside frames", () => {
    const yaml = "name: Ann Lee\nage: 42\nemail: null\ntags: [a, b]\nactive: true";
    const framed = [
      `HTTP/1.1 200 OK\nContent-Type: text/yaml\n\n${yaml}`,
      `From: a@b.example\nSubject: your data\n\n\`\`\`yaml\n${yaml}\n\`\`\`\n-- \nAnn`,
      `cat <<'EOF'\n${yaml}\nEOF`,
      `<answer>\n${yaml}\n</answer><|eot_id|>`,
      yaml.replaceAll(/^/gm, "> "),
      JSON.stringify(yaml),
    ];
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
