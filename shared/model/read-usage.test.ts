import { expect, test } from "vitest";
import { readUsage } from "./read-completion.ts";

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
