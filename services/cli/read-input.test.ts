import { expect, test } from "vitest";
import { CommandRefusedError } from "./errors.ts";
import { readJson } from "./read-input.ts";

test.each([
  ["{", /is not JSON/],
  ['{"a":"\\ud800"}', /half a character at \/a/],
  ['{"a":1,"a":2}', /key twice at \/a/],
  ['{"a":12345678901234567890}', /more digits.* at \/a/],
])("refuses %s, which the gateway would refuse or read otherwise", (text, message) => {
  expect(() => readJson(text, "The input")).toThrow(CommandRefusedError);
  expect(() => readJson(text, "The input")).toThrow(message);
});

test("reads JSON", () => {
  expect(readJson('{"a":["😀"]}', "The input")).toEqual({ a: ["😀"] });
});
