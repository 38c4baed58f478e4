import type { HandCases } from "../case.ts";

export const UNIONS: HandCases = {
  class: "unions",
  schema: {
    oneOf: [
      {
        type: "object",
        properties: {
          kind: { const: "card" },
          last4: { type: "string", pattern: "^[0-9]{4}$" },
          amount: { type: "number" },
        },
        required: ["kind", "last4"],
        additionalProperties: false,
      },
      {
        type: "object",
        properties: { kind: { const: "bank" }, iban: { type: "string" }, amount: { type: "number" } },
        required: ["kind", "iban"],
        additionalProperties: false,
      },
    ],
  },
  cases: [
    {
      it: "kind in other case",
      input: '{"kind": "CARD", "last4": "0042"}',
      value: { kind: "card", last4: "0042" },
    },
    {
      it: "bare digits keep their zeros",
      input: '{"kind": "card", "last4": 0042}',
      value: { kind: "card", last4: "0042" },
    },
    { it: "kind missing but one fits", input: '{"iban": "X1"}', value: { kind: "bank", iban: "X1" } },
    {
      it: "kind contradicts the members",
      input: '{"kind": "card", "iban": "X1"}',
      refusal: "kind and members disagree",
    },
    { it: "kind unknown", input: '{"kind": "cash", "iban": "X1"}', refusal: "cash is none of both" },
    { it: "kind as wrapper", input: '{"bank": {"iban": "X1"}}', value: { kind: "bank", iban: "X1" } },
    {
      it: "amount as text in the right branch",
      input: '{"kind": "bank", "iban": "X1", "amount": "12.50"}',
      value: { kind: "bank", iban: "X1", amount: 12.5 },
    },
    { it: "members of both", input: '{"iban": "X1", "last4": "0042"}', refusal: "either may be meant" },
  ],
};

export const SCALAR_UNIONS: HandCases = {
  class: "scalar unions",
  schema: {
    type: "object",
    properties: {
      id: { anyOf: [{ type: "string" }, { type: "integer" }] },
      limit: { anyOf: [{ type: "integer" }, { type: "null" }] },
      when: { anyOf: [{ type: "string", format: "date" }, { type: "null" }] },
      flag: { type: ["boolean", "null"] },
    },
    additionalProperties: false,
  },
  cases: [
    { it: "valid text is untouched", input: '{"id": "12",}', value: { id: "12" } },
    { it: "valid number is untouched", input: "{'id': 12}", value: { id: 12 } },
    { it: "null in words", input: '{"limit": "null"}', value: { limit: null } },
    { it: "none in words", input: '{"limit": "None"}', value: { limit: null } },
    { it: "n/a", input: '{"when": "N/A"}', value: { when: null } },
    { it: "not specified", input: '{"when": "not specified"}', value: { when: null } },
    { it: "empty text for an optional date", input: '{"when": ""}', value: {} },
    { it: "a number as text", input: '{"limit": "12"}', value: { limit: 12 } },
    { it: "python none", input: "{'flag': None}", value: { flag: null } },
    { it: "unknown in words", input: '{"flag": "unknown"}', value: { flag: null } },
    { it: "zero is not null", input: '{"limit": "0"}', value: { limit: 0 } },
    { it: "a date in words", input: '{"when": "4 March 2025"}', value: { when: "2025-03-04" } },
  ],
};

export const SPECIAL: HandCases = {
  class: "maps, tuples, trees",
  schema: {
    type: "object",
    properties: {
      counts: { type: "object", additionalProperties: { type: "integer" } },
      point: {
        type: "array",
        prefixItems: [{ type: "number" }, { type: "number" }],
        items: false,
        minItems: 2,
      },
      tree: { $ref: "#/$defs/node" },
      meta: {
        type: "object",
        properties: { a: { type: "integer" } },
        additionalProperties: { type: "string" },
      },
    },
    additionalProperties: false,
    $defs: {
      node: {
        type: "object",
        properties: {
          name: { type: "string" },
          children: { type: "array", items: { $ref: "#/$defs/node" } },
        },
        required: ["name"],
        additionalProperties: false,
      },
    },
  },
  cases: [
    {
      it: "map values as text",
      input: '{"counts": {"a": "1", "b-c": "2"}}',
      value: { counts: { a: 1, "b-c": 2 } },
    },
    {
      it: "map keys are never renamed",
      input: '{"counts": {"Foo Bar": 1, "fooBar": "2"}}',
      value: { counts: { "Foo Bar": 1, fooBar: 2 } },
    },
    {
      it: "map as pairs",
      input: '{"counts": [{"key": "a", "value": 1}, {"key": "b", "value": 2}]}',
      value: { counts: { a: 1, b: 2 } },
    },
    { it: "map as text", input: '{"counts": "{\\"a\\": 1}"}', value: { counts: { a: 1 } } },
    { it: "tuple as text", input: '{"point": "1.5, 2.5"}', value: { point: [1.5, 2.5] } },
    { it: "tuple in parentheses", input: '{"point": (1.5, 2)}', value: { point: [1.5, 2] } },
    { it: "tuple too short", input: '{"point": [1]}', refusal: "one number is missing" },
    { it: "tuple too long", input: '{"point": [1, 2, 3]}', refusal: "never dropped" },
    {
      it: "tree with one child alone",
      input: '{"tree": {"name": "a", "children": {"name": "b"}}}',
      value: { tree: { name: "a", children: [{ name: "b" }] } },
    },
    {
      it: "tree names in case",
      input: '{"tree": {"Name": "a", "Children": [{"NAME": "b", "children": []}]}}',
      value: { tree: { name: "a", children: [{ name: "b", children: [] }] } },
    },
    {
      it: "tree with a bad child",
      input: '{"tree": {"name": "a", "children": [{"children": []}]}}',
      refusal: "the child's name is not there",
    },
    {
      it: "map beside a property",
      input: '{"meta": {"a": "7", "b": "x"}}',
      value: { meta: { a: 7, b: "x" } },
    },
    { it: "map null for optional", input: '{"counts": null}', value: {} },
  ],
};

export const XML: HandCases = {
  class: "xml",
  schema: {
    type: "object",
    properties: {
      id: { type: "string" },
      n: { type: "integer" },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["id", "n"],
    additionalProperties: false,
    "x-accepts": ["xml"],
  },
  cases: [
    { it: "elements", input: "<order><id>A1</id><n>3</n></order>", value: { id: "A1", n: 3 } },
    { it: "attributes", input: '<order id="A1" n="3"/>', value: { id: "A1", n: 3 } },
    {
      it: "repeated elements",
      input: "<order><id>A1</id><n>3</n><tags>x</tags><tags>y</tags></order>",
      value: { id: "A1", n: 3, tags: ["x", "y"] },
    },
    {
      it: "a list of elements",
      input: "<order><id>A1</id><n>3</n><tags><tag>x</tag><tag>y</tag></tags></order>",
      value: { id: "A1", n: 3, tags: ["x", "y"] },
    },
    {
      it: "a fence and a declaration",
      input: '```xml\n<?xml version="1.0"?>\n<order><id>A&amp;1</id><n>3</n></order>\n```',
      value: { id: "A&1", n: 3 },
    },
    {
      it: "character data",
      input: "<order><id><![CDATA[A<1]]></id><n>3</n></order>",
      value: { id: "A<1", n: 3 },
    },
    {
      it: "prose around",
      input: "Here it is: <order><id>A1</id><n>3</n></order> Bye.",
      value: { id: "A1", n: 3 },
    },
    { it: "a missing element", input: "<order><id>A1</id></order>", refusal: "n is not there" },
    { it: "an open element", input: "<order><id>A1</id><n>3", refusal: "more digits may have followed" },
    {
      it: "an entity attack",
      input: '<!DOCTYPE x [<!ENTITY a "b">]><order><id>&a;</id><n>3</n></order>',
      refusal: "no declarations are followed",
    },
  ],
};

export const XML_UNASKED: HandCases = {
  class: "xml unasked",
  schema: {
    type: "object",
    properties: { id: { type: "string" }, n: { type: "integer" } },
    required: ["id", "n"],
    additionalProperties: false,
  },
  cases: [
    {
      it: "elements",
      input: "<order><id>A1</id><n>3</n></order>",
      refusal: "the contract does not allow it",
    },
    { it: "json in an element", input: '<order>{"id": "A1", "n": 3}</order>', value: { id: "A1", n: 3 } },
  ],
};
