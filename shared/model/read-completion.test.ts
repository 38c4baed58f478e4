import fc from "fast-check";
import { expect, test } from "vitest";
import { readCompletion, readUsage } from "./read-completion.ts";

test("reads any body as a completion or as none, and never throws", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (message, other) => {
      for (const body of [
        message,
        { choices: [{ message, finish_reason: other }], usage: other, model: other },
      ]) {
        const read = readCompletion(body);
        expect(read === null || typeof read.text === "string").toBe(true);
      }
    }),
  );
});

test.each([
  ["stop", "stop"],
  ["tool_calls", "stop"],
  ["end_turn", "stop"],
  ["length", "length"],
  ["MAX_TOKENS", "length"],
  ["model_length", "length"],
  ["content_filter: PROHIBITED_CONTENT", "refusal"],
  ["error", "other"],
  ["constructor", "other"],
  [null, "other"],
])("reads the finish reason %j as %s", (finish_reason, finish) => {
  expect(readCompletion({ choices: [{ finish_reason, message: { content: "{}" } }] })).toMatchObject({
    finish,
  });
});

test.each([
  ["text", '{"a":1}'],
  ["an object", { a: 1 }],
])("reads a tool's arguments that are %s, where it was asked for them", (_, given) => {
  const message = { content: "Calling it.", tool_calls: [{ function: { name: "x", arguments: given } }] };
  const body = { choices: [{ finish_reason: "tool_calls", message }] };
  expect(readCompletion(body, true)).toMatchObject({ text: '{"a":1}', finish: "stop" });
  expect(readCompletion(body)).toMatchObject({ text: "Calling it." });
});

test("gives whole counts that are not negative, and never nothing for something", () => {
  fc.assert(
    fc.property(
      fc.anything(),
      fc.anything(),
      fc.nat(),
      fc.nat(),
      (prompt, done, charactersIn, charactersOut) => {
        const reported = { prompt_tokens: prompt, completion_tokens: done };
        const usage = readUsage(reported, { charactersIn, charactersOut });
        for (const [count, characters] of [
          [usage.input_tokens, charactersIn],
          [usage.output_tokens, charactersOut],
        ] as const) {
          expect(Number.isSafeInteger(count) && count >= 0 && (count > 0 || characters === 0)).toBe(true);
        }
      },
    ),
  );
});
