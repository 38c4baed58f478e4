import { openAiError, wrapAsOpenAi } from "./dialect.ts";
import type { Dialect, Failures } from "./dialect.ts";

const SOURCES = [
  "https://docs.ollama.com/api/openai-compatibility",
  "https://github.com/ollama/ollama/blob/main/openai/openai.go",
  "https://github.com/ollama/ollama/issues/18575",
];

const FAILURES: Failures = {
  // Its own API answers with a string, which proxies before it pass on: https://docs.ollama.com/api/errors
  wrong_key: { status: 401, body: { error: "unauthorized" } },
  unknown_model: openAiError(404, { message: 'model "nothing" not found', type: "not_found_error" }),
  rate_limited: { status: 429, body: { error: "too many requests" } },
  out_of_quota: null,
  too_long: openAiError(400, { message: "the input length exceeds the context length" }),
  filtered: null,
};

/**
 * Ollama. It reads `max_tokens` and no `max_completion_tokens`, and leaves fields unread that it does not know. A call
 * ends with "tool_calls" wherever there is one.
 */
export const ollama: Dialect = {
  name: "Ollama",
  sources: SOURCES,
  fields: { max_completion_tokens: "ignores", reasoning_effort: "ignores" },
  failures: FAILURES,
  wrap: (said) => {
    const { choices, ...rest } = wrapAsOpenAi(said, { reasoning: said.reasoning }) as {
      readonly choices: readonly object[];
    };
    const finish = said.toolCalls.length === 0 ? {} : { finish_reason: "tool_calls" };
    return {
      ...rest,
      system_fingerprint: "fp_ollama",
      choices: choices.map((one) => ({ ...one, ...finish })),
    };
  },
};
