import type { HandCases } from "../case.ts";

const ORDER = {
  type: "object",
  properties: {
    id: { type: "string" },
    total: { type: "number" },
    lines: {
      type: "array",
      items: {
        type: "object",
        properties: { sku: { type: "string" }, n: { type: "integer" } },
        required: ["sku", "n"],
      },
    },
    note: { type: "string" },
  },
  required: ["id", "total"],
};

/** Under a contract nothing that may be half of something is passed on. */
export const CUT: HandCases = {
  class: "cut",
  schema: ORDER,
  cases: [
    {
      it: "only the last brace",
      input: '{"id": "A1", "total": 12.5, "lines": [{"sku": "x", "n": 1}]',
      value: { id: "A1", total: 12.5, lines: [{ sku: "x", n: 1 }] },
    },
    {
      it: "several closers",
      input: '{"id": "A1", "total": 12.5, "lines": [{"sku": "x", "n": 1}',
      value: { id: "A1", total: 12.5, lines: [{ sku: "x", n: 1 }] },
    },
    { it: "after the end quote", input: '{"total": 1, "id": "A1"', value: { total: 1, id: "A1" } },
    {
      it: "in a string",
      input: '{"id": "A1", "total": 3, "note": "please deliver to the ba',
      refusal: "the rest of the text is not there",
    },
    { it: "in a number", input: '{"id": "A1", "total": 12', refusal: "more digits may have followed" },
    { it: "after a comma", input: '{"id": "A1", "total": 12.5,', refusal: "more was to come" },
    { it: "in a name", input: '{"id": "A1", "total": 12.5, "no', refusal: "more was to come" },
    { it: "after a colon", input: '{"id": "A1", "total": 12.5, "note":', refusal: "more was to come" },
    {
      it: "in an escape",
      input: '{"id": "A1", "total": 12.5, "note": "caf\\u00',
      refusal: "more was to come",
    },
    { it: "in a literal", input: '{"id": "A1", "total": 1.5, "note": nul', refusal: "more was to come" },
    {
      it: "inside the second item",
      input: '{"id": "A1", "total": 1.0, "lines": [{"sku": "x", "n": 1}, {"sku": "y", "n',
      refusal: "an item is missing a part",
    },
    { it: "before the required member", input: '{"id": "A1"', refusal: "the total is not there" },
    {
      it: "an ellipsis for the rest",
      input: '{"id": "A1", "total": 2, "lines": [{"sku": "x", "n": 1}, ...]}',
      refusal: "items were left out",
    },
    {
      it: "a note that it was cut",
      input: '{"id": "A1", "total": 2, "lines": [{"sku": "x", "n": 1}, // ... more items\n]}',
      refusal: "items were left out",
    },
    {
      it: "in a fence",
      input: '```json\n{"id": "A1", "total": 2.5, "note": "ok"\n```',
      value: { id: "A1", total: 2.5, note: "ok" },
    },
    { it: "head lost", input: ' "A1", "total": 2.5, "note": "ok"}', refusal: "the id has no name" },
    { it: "number before a line end", input: '{"id": "A1", "total": 12\n', value: { id: "A1", total: 12 } },
  ],
};
