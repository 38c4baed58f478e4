import type { JsonSchema } from "#shared/json";

/** A tree of itself, closed: what the texts of this folder are mostly about. */
export const NODE: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string" },
    count: { type: "integer" },
    inner: { $ref: "#" },
    rows: { type: "array", items: { $ref: "#" } },
  },
  additionalProperties: false,
};

const ALTERNATIVES = Array.from({ length: 8 }, (_, at) => ({
  type: "object",
  properties: {
    kind: { const: `k${at}` },
    [`v${at}`]: { type: "integer" },
    name: { type: "string" },
    inner: { $ref: "#/$defs/any" },
  },
  required: ["kind"],
  additionalProperties: false,
}));

const WIDE = Object.fromEntries(
  Array.from({ length: 300 }, (_, at) => [
    `field_${at}_name`,
    { type: "integer", "x-aliases": [`alias ${at}`, `f${at}`] },
  ]),
);

/** One contract of every kind. */
export const SCHEMAS: Readonly<Record<string, JsonSchema | undefined>> = {
  none: undefined,
  tree: NODE,
  "open object": { type: "object" },
  "a map of numbers": { type: "object", additionalProperties: { type: "integer" } },
  "three hundred names": {
    type: "object",
    properties: {
      ...WIDE,
      rows: { type: "array", items: { type: "object", properties: WIDE, additionalProperties: false } },
    },
    additionalProperties: false,
  },
  union: {
    type: "object",
    properties: { rows: { type: "array", items: { anyOf: ALTERNATIVES } }, kind: { const: "root" } },
    $defs: { any: { anyOf: ALTERNATIVES } },
  },
  "a union of itself": {
    $defs: {
      one: {
        anyOf: [
          { type: "object", properties: { inner: { $ref: "#/$defs/one" }, rows: { $ref: "#/$defs/one" } } },
          { type: "array", items: { $ref: "#/$defs/one" } },
          { type: "integer" },
          { type: "boolean" },
        ],
      },
    },
    $ref: "#/$defs/one",
  },
  "a list of numbers": { type: "array", items: { type: "number", "x-unit": "kg" } },
  "a list of words": {
    type: "array",
    items: { enum: Array.from({ length: 200 }, (_, at) => `member ${at} of many`) },
  },
  "a list of dates": { type: "array", items: { type: "string", format: "date-time" }, uniqueItems: true },
  pairs: { type: "array", items: { prefixItems: [{ type: "string" }, { type: "integer" }], items: false } },
  "patterns of names": {
    type: "object",
    patternProperties: { "^([a-z]+_?)+$": { type: "integer" }, "^nmae[0-9]+x$": { type: "string" } },
    additionalProperties: false,
  },
  "a text by pattern": {
    type: "object",
    properties: {
      name: { type: "string", pattern: "^(\\w+\\s?)*!$", maxLength: 100_000 },
      count: { type: "string", format: "email" },
    },
  },
  "either or": {
    type: "object",
    properties: {
      name: { type: ["null", "boolean", "number", "array", "object"] },
      count: { anyOf: [{ enum: ["a", "b"] }, { type: "string", format: "date" }, { type: "null" }] },
      rows: { type: "array", items: { not: { required: ["count"] } }, contains: { required: ["name"] } },
    },
    required: ["count"],
  },
  "xml allowed": {
    ...NODE,
    "x-accepts": ["xml"],
    properties: { name: { type: "string" }, rows: { type: "array" } },
  },
  "a number": { type: "integer" },
  "a text": { type: "string" },
  "a word": { enum: ["yes", "no", "word word word"] },
};
