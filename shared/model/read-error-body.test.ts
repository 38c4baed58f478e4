import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { setClock } from "#shared/clock";
import { readRetryAfter } from "#shared/http/outside";
import { withoutThoughts } from "./read-completion.ts";
import { readErrorBody, VALIDATION } from "./read-error-body.ts";

const detail = [
  {
    type: "extra_forbidden",
    loc: ["body", "max_completion_tokens"],
    msg: "Extra inputs are not permitted",
    input: 9,
  },
];

test.each([
  ["FastAPI's", { detail }],
  [
    "Mistral's",
    { object: "error", message: { detail }, type: "invalid_request_error", param: null, code: null },
  ],
  [
    "a proxy's, as text",
    { object: "error", message: JSON.stringify({ detail }), type: "internal_error_proxy" },
  ],
])("reads what is refused out of %s body", (_, body) => {
  expect(readErrorBody(JSON.stringify(body))).toMatchObject({
    type: VALIDATION,
    code: "extra_forbidden",
    param: "max_completion_tokens",
  });
});

test("quotes nothing of the input that FastAPI repeats", () => {
  const body = {
    detail: [{ type: "missing", loc: ["body", "x"], msg: "Field required", input: "temperature" }],
  };
  expect(JSON.stringify(readErrorBody(JSON.stringify(body)))).not.toContain("temperature");
});

test.each([
  ['{"error":"model \\"x\\" not found"}', { message: 'model "x" not found', type: null }],
  [
    '[{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}]',
    { code: "429", type: "RESOURCE_EXHAUSTED" },
  ],
  ['{"detail":"Unauthorized"}', { message: "Unauthorized", param: null }],
  ["<html>no</html>", { message: "<html>no</html>" }],
  ["", { message: "", type: null, code: null, param: null }],
  ["null", { message: "null" }],
  ["[]", { message: "[]" }],
])("reads %j", (text, read) => {
  expect(readErrorBody(text)).toMatchObject(read);
});

test("finds the wait that Google writes into the body", () => {
  const details = [
    { "@type": "x" },
    { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" },
  ];
  const body = [{ error: { code: 429, message: "m", status: "RESOURCE_EXHAUSTED", details } }];
  expect(readErrorBody(JSON.stringify(body)).retryAfterMs).toBe(34_500);
});

test("reads any body, and never throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), fc.jsonValue(), (text, error) => {
      for (const one of [text, JSON.stringify({ error }), JSON.stringify([{ error }])])
        expect(typeof readErrorBody(one).message).toBe("string");
    }),
  );
});

test.each([
  ['<think>Two {things}.</think>\n\n{"a":1}', '{"a":1}'],
  ['Der Nutzer will JSON.\n</think>\n{"a":1}', '{"a":1}'],
  ["<THINKING>hm</THINKING>[1]", "[1]"],
  ['{"quote":"he wrote </think> there"}', '{"quote":"he wrote </think> there"}'],
  ["<answer><note>use </think> here</note></answer>", "<answer><note>use </think> here</note></answer>"],
  ["<think>never ended", "<think>never ended"],
  ["plain", "plain"],
])("takes thoughts off %j", (text, rest) => {
  expect(withoutThoughts(text)).toBe(rest);
});

let restore = (): void => undefined;

afterEach(() => restore());

const of = (said: Record<string, string>) => readRetryAfter(new Headers(said), { usual: 2_000, min: 50 });

test("reads milliseconds first, then seconds, then a date", () => {
  restore = setClock({ now: () => Date.parse("2026-11-21T10:00:00Z") });
  expect(of({ "retry-after-ms": "1500", "retry-after": "9" })).toBe(1_500);
  expect(of({ "retry-after": "2.5" })).toBe(2_500);
  expect(of({ "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT" })).toBe(30_000);
});

test("is a whole number within its bounds for any header", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
      const delayMs = of({ "retry-after": text });
      expect(Number.isInteger(delayMs) && delayMs >= 50 && delayMs <= 60_000).toBe(true);
    }),
  );
});
