import { describe } from "vitest";
import type { JsonSchema } from "#shared/json";
import { closed, integer, list, number, oneOf, readsAll, text } from "./testing/readings.ts";
import type { Row } from "./testing/readings.ts";

const PLACE = closed({ city: text, zip: integer });
const OSLO = { city: "Oslo", zip: 179 };
const LEVELS = oneOf("low", "high");
const ROWS_OF_TEXT = list(closed({ a: text, b: integer }, ["a"]));

function open(properties: JsonSchema, required: readonly string[]): JsonSchema {
  return { type: "object", properties, required };
}

const REQUEST = { a: integer, b: integer };
const HELD = { request: { a: 1, b: 2 }, trace: "x" };

const ROWS: readonly Row[] = [
  // Envelopes of programs.
  ["a success", `{"code": 200, "message": "OK", "data": ${JSON.stringify(OSLO)}}`, PLACE, OSLO],
  ["a success by its word", `{"status": "done", "result": ${JSON.stringify(OSLO)}}`, PLACE, OSLO],
  ["a failure", `{"code": 500, "message": "OK", "data": ${JSON.stringify(OSLO)}}`, PLACE, undefined],
  ["a failure by its word", `{"status": "failed", "data": ${JSON.stringify(OSLO)}}`, PLACE, undefined],
  ["a part of text", '{"city": {"text": "Oslo"}, "zip": {"value": 179}}', PLACE, OSLO],
  [
    "settings of an answer",
    '{"object": "chat.completion", "lens": 3, "choices": [{"message": {"role": "assistant", "content": "{\\"city\\": \\"Oslo\\", \\"zip\\": 179}"}}]}',
    PLACE,
    OSLO,
  ],
  [
    "an answer with an error",
    '{"object": "response", "error": {"code": "x"}, "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "{\\"city\\": \\"Oslo\\", \\"zip\\": 179}"}]}]}',
    PLACE,
    undefined,
  ],
  [
    "an answer with a refusal",
    '{"object": "chat.completion", "choices": [{"message": {"role": "assistant", "refusal": "I will not.", "content": "{\\"city\\": \\"Oslo\\", \\"zip\\": 179}"}}]}',
    PLACE,
    undefined,
  ],
  [
    "a refusal beside data",
    `{"refusal": "I will not.", "details": ${JSON.stringify(OSLO)}}`,
    PLACE,
    undefined,
  ],
  // A wrapper that is missing, with a member beside it.
  [
    "closed, closed",
    '{"a": 1, "b": 2, "trace": "x"}',
    closed({ request: closed(REQUEST), trace: text }, ["request"]),
    HELD,
  ],
  [
    "closed, open",
    '{"a": 1, "b": 2, "trace": "x"}',
    closed({ request: open(REQUEST, ["a", "b"]), trace: text }, ["request"]),
    HELD,
  ],
  [
    "open, closed",
    '{"a": 1, "b": 2, "trace": "x"}',
    open({ request: closed(REQUEST), trace: text }, ["request"]),
    HELD,
  ],
  [
    "open, open",
    '{"a": 1, "b": 2, "trace": "x"}',
    open({ request: open(REQUEST, ["a", "b"]), trace: text }, ["request"]),
    HELD,
  ],
  // Prose around lines that hold texts in quotes.
  [
    "a lead-in",
    'Here are the details I found:\n\n- "größe"\n- "machine learning"',
    list(text),
    ["größe", "machine learning"],
  ],
  ["a fence", '```\n- "größe"\n- "machine learning"\n```', list(text), ["größe", "machine learning"]],
  [
    "a lead-in and a remark",
    'The details:\n\n- "größe"\n- "lernen"\n\nLet me know if it fits!',
    list(text),
    ["größe", "lernen"],
  ],
  // A remark below members without braces.
  ["a remark below a text", 'zip: 179,\ncity: "Oslo"\n\nLet me know if it fits!', PLACE, OSLO],
  ["a remark below a text without its end", 'zip: 179, city: "Oslo\n\nLet me know if it fits!', PLACE, OSLO],
  // A text without its end, before the next row.
  ["the end of a row", '[{"a": "b}, {"a": "c"}]', ROWS_OF_TEXT, [{ a: "b" }, { a: "c" }]],
  [
    "the end of a later row",
    '[{"b": 1, "a": "x y"}, {"b": 2, "a": "z}, {"a": "d"}]',
    ROWS_OF_TEXT,
    [{ b: 1, a: "x y" }, { b: 2, a: "z" }, { a: "d" }],
  ],
  // Amounts and currencies.
  [
    "feet and inches",
    '{"height": "5 ft 6 in"}',
    closed({ height: { type: "number", description: "Height in inches" } }),
    undefined,
  ],
  ["hours and minutes", '{"duration_min": "1 h 30 m"}', closed({ duration_min: integer }), undefined],
  ["units of two kinds", '{"duration_min": "1 h 30 kg"}', closed({ duration_min: integer }), undefined],
  ["metres", '{"height_cm": "1.8 metres"}', closed({ height_cm: number }), undefined],
  [
    "a name of several currencies",
    '{"currency": "dollars"}',
    closed({ currency: oneOf("USD", "CAD") }),
    undefined,
  ],
  ["no currency", '{"currency": "European"}', closed({ currency: oneOf("USD", "EUR") }), undefined],
  ["grouped", '{"n": "1,234.5"}', closed({ n: number }), { n: 1234.5 }],
  ["grouped or not", '{"n": "1,234"}', closed({ n: number }), undefined],
  ["a power of ten", '{"n": "5.778e+1"}', closed({ n: number }), { n: 57.78 }],
  ["an enum's member as a part", '{"level": {"text": "High"}}', closed({ level: LEVELS }), { level: "high" }],
];

describe("first aid knows what is meant", () => readsAll(ROWS));
