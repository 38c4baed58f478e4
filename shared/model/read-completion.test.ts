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

const exchanged = { charactersIn: 8000, charactersOut: 400, tokensOutMax: 500 };
const counted = { prompt_tokens: 2006, completion_tokens: 300, total_tokens: 2306 };

test.each([
  ["OpenAI, Azure, Google, Mistral, LiteLLM, vLLM, xAI", { prompt_tokens_details: { cached_tokens: 1920 } }],
  ["DeepSeek", { prompt_cache_hit_tokens: 1920, prompt_cache_miss_tokens: 86 }],
  ["Anthropic, as proxies pass it on", { cache_read_input_tokens: 1920, cache_creation_input_tokens: 0 }],
])("reads cached tokens of %s", (_, more) => {
  expect(readUsage({ ...counted, ...more }, exchanged)).toEqual({
    input_tokens: 2006,
    output_tokens: 300,
    cached_tokens: 1920,
  });
});

test.each([
  [{ prompt_tokens_details: { cached_tokens: 2007 } }],
  [{ prompt_tokens_details: { cached_tokens: -5 } }],
  [{ prompt_tokens_details: { cached_tokens: "1920" } }],
  [{ prompt_tokens_details: null }],
  [{ completion_tokens_details: { reasoning_tokens: 301 } }],
])("takes %j for nonsense: the full price holds", (more) => {
  expect(readUsage({ ...counted, ...more }, exchanged)).toEqual({ input_tokens: 2006, output_tokens: 300 });
});

test("takes no more for generated than was allowed, whatever the total says", () => {
  const usage = readUsage({ ...counted, total_tokens: 90_000 }, { ...exchanged, charactersOut: 40 });
  expect(usage.output_tokens).toBe(10);
});
