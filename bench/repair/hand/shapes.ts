import type { HandCases } from "../case.ts";

const LIST = {
  type: "object",
  properties: {
    steps: { type: "array", items: { type: "string" } },
    scores: { type: "array", items: { type: "integer" } },
  },
  additionalProperties: false,
};

export const LISTS: HandCases = {
  class: "lists",
  schema: LIST,
  cases: [
    { it: "one item alone", input: '{"steps": "restart it"}', value: { steps: ["restart it"] } },
    { it: "one number alone", input: '{"scores": 4}', value: { scores: [4] } },
    { it: "json in a text", input: '{"steps": "[\\"a\\", \\"b\\"]"}', value: { steps: ["a", "b"] } },
    { it: "python list in a text", input: `{"steps": "['a', 'b']"}`, value: { steps: ["a", "b"] } },
    {
      it: "an object that holds the list",
      input: '{"steps": {"items": ["a", "b"]}}',
      value: { steps: ["a", "b"] },
    },
    { it: "an object by index", input: '{"steps": {"0": "a", "1": "b"}}', value: { steps: ["a", "b"] } },
    { it: "commas in a text", input: '{"steps": "open it, close it"}', refusal: "one item or two" },
    { it: "numbers in a text", input: '{"scores": "1, 2, 3"}', value: { scores: [1, 2, 3] } },
    { it: "a bad item", input: '{"scores": [1, "two", {}]}', refusal: "an item is never dropped" },
    { it: "items as text", input: '{"scores": ["1", "2"]}', value: { scores: [1, 2] } },
    { it: "null for a list", input: '{"steps": null}', value: {} },
    {
      it: "a bullet list in a text",
      input: '{"steps": "- open it\\n- close it"}',
      value: { steps: ["open it", "close it"] },
    },
    {
      it: "a numbered list in a text",
      input: '{"steps": "1. open it\\n2. close it"}',
      value: { steps: ["open it", "close it"] },
    },
    { it: "nested once too deep", input: '{"scores": [[1, 2, 3]]}', value: { scores: [1, 2, 3] } },
    { it: "wrapped items", input: '{"steps": [{"step": "a"}, {"step": "b"}]}', value: { steps: ["a", "b"] } },
    { it: "trailing null", input: '{"scores": [1, 2, null]}', refusal: "an item is never dropped" },
  ],
};

export const MARKDOWN: HandCases = {
  class: "markdown",
  schema: {
    type: "array",
    items: {
      type: "object",
      properties: { name: { type: "string" }, qty: { type: "integer" }, gift: { type: "boolean" } },
      required: ["name", "qty"],
      additionalProperties: false,
    },
  },
  cases: [
    {
      it: "a table",
      input: "| name | qty | gift |\n|---|---:|---|\n| Pen | 2 | yes |\n| Ink | 1 | no |",
      value: [
        { name: "Pen", qty: 2, gift: true },
        { name: "Ink", qty: 1, gift: false },
      ],
    },
    {
      it: "a table with prose around",
      input: "Here are the lines:\n\n| Name | Qty |\n| --- | --- |\n| Pen | 2 |\n\nAnything else?",
      value: [{ name: "Pen", qty: 2 }],
    },
    {
      it: "a table with an escaped bar",
      input: "| name | qty |\n|---|---|\n| Pen \\| Ink | 2 |",
      value: [{ name: "Pen | Ink", qty: 2 }],
    },
    {
      it: "a table with a missing cell",
      input: "| name | qty |\n|---|---|\n| Pen |  |",
      refusal: "the count is not there",
    },
    {
      it: "lines of objects",
      input: '{"name": "Pen", "qty": 2}\n{"name": "Ink", "qty": 1}',
      value: [
        { name: "Pen", qty: 2 },
        { name: "Ink", qty: 1 },
      ],
    },
    { it: "one object alone", input: '{"name": "Pen", "qty": 2}', value: [{ name: "Pen", qty: 2 }] },
    {
      it: "bullets of objects",
      input: '- {"name": "Pen", "qty": 2}\n- {"name": "Ink", "qty": 1}',
      value: [
        { name: "Pen", qty: 2 },
        { name: "Ink", qty: 1 },
      ],
    },
    {
      it: "yaml items",
      input: "- name: Pen\n  qty: 2\n- name: Ink\n  qty: 1\n",
      value: [
        { name: "Pen", qty: 2 },
        { name: "Ink", qty: 1 },
      ],
    },
    {
      it: "comma separated values with a head",
      input: "name,qty\nPen,2\nInk,1",
      value: [
        { name: "Pen", qty: 2 },
        { name: "Ink", qty: 1 },
      ],
    },
    { it: "an object keyed by name", input: '{"Pen": 2, "Ink": 1}', refusal: "the contract does not say so" },
    {
      it: "under another name",
      input: '{"lines": [{"name": "Pen", "qty": 2}]}',
      value: [{ name: "Pen", qty: 2 }],
    },
    {
      it: "with a count beside",
      input: '{"total": 1, "lines": [{"name": "Pen", "qty": 2}]}',
      value: [{ name: "Pen", qty: 2 }],
    },
    { it: "an empty list", input: "There are none: []", value: [] },
  ],
};

export const YAML: HandCases = {
  class: "yaml",
  schema: {
    type: "object",
    properties: {
      title: { type: "string" },
      done: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
      owner: {
        type: "object",
        properties: { name: { type: "string" }, age: { type: "integer" } },
        required: ["name"],
      },
      text: { type: "string" },
    },
    required: ["title"],
    additionalProperties: false,
  },
  cases: [
    { it: "a mapping", input: "title: Fix it\ndone: false\n", value: { title: "Fix it", done: false } },
    {
      it: "a fence",
      input: "```yaml\ntitle: Fix it\ntags:\n  - a\n  - b c\n```",
      value: { title: "Fix it", tags: ["a", "b c"] },
    },
    {
      it: "a nested mapping",
      input: "title: Fix it\nowner:\n  name: Ann\n  age: 30\ndone: yes",
      value: { title: "Fix it", owner: { name: "Ann", age: 30 }, done: true },
    },
    {
      it: "a colon in a value",
      input: "title: Fix it: now\ndone: true",
      value: { title: "Fix it: now", done: true },
    },
    {
      it: "quoted values",
      input: `title: "Fix: it"\ntags: ['a', "b"]`,
      value: { title: "Fix: it", tags: ["a", "b"] },
    },
    {
      it: "a block text",
      input: "title: Fix it\ntext: |\n  one\n  two\ndone: true",
      value: { title: "Fix it", text: "one\ntwo\n", done: true },
    },
    { it: "document markers", input: "---\ntitle: Fix it\n...\n", value: { title: "Fix it" } },
    {
      it: "prose before",
      input: "Here is the ticket:\n\ntitle: Fix it\ndone: true",
      value: { title: "Fix it", done: true },
    },
    {
      it: "items not indented",
      input: "title: Fix it\ntags:\n- a\n- b",
      value: { title: "Fix it", tags: ["a", "b"] },
    },
    { it: "a comment", input: "# the ticket\ntitle: Fix it # soon\n", value: { title: "Fix it" } },
    {
      it: "a mapping cut in a nested one",
      input: "title: Fix it\nowner:\n  name:",
      refusal: "the name is not there",
    },
  ],
};
