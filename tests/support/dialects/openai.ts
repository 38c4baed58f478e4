import { refuseRequest } from "#shared/testing";
import { openAiError, wrapAsOpenAi } from "./dialect.ts";
import type { ChatRequest, Dialect, Failures, Reply, Said } from "./dialect.ts";

const SOURCES = [
  "https://platform.openai.com/docs/guides/structured-outputs",
  "https://platform.openai.com/docs/guides/error-codes",
  "https://platform.openai.com/docs/guides/rate-limits",
];

/** JSON mode needs "JSON" in the messages: https://platform.openai.com/docs/guides/structured-outputs#json-mode */
function refuseSilentJsonMode({ messages }: ChatRequest): Reply | null {
  return /json/i.test(JSON.stringify(messages))
    ? null
    : openAiError(400, {
        message:
          "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        param: "messages",
      });
}

/** A schema that breaks a rule of strict mode: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
function refuseBrokenSchema(request: ChatRequest): Reply | null {
  const body = refuseRequest(request);
  return body === null ? null : { status: 400, body };
}

const OPENAI_FAILURES: Failures = {
  wrong_key: openAiError(401, {
    message: "Incorrect API key provided: test.",
    code: "invalid_api_key",
  }),
  unknown_model: openAiError(404, {
    message: "The model `nothing` does not exist or you do not have access to it.",
    code: "model_not_found",
  }),
  rate_limited: openAiError(
    429,
    {
      message: "Rate limit reached for requests per min. Please try again in 2s.",
      type: "requests",
      code: "rate_limit_exceeded",
    },
    { "retry-after": "3", "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "2s" },
  ),
  // Retrying does not help: https://platform.openai.com/docs/guides/error-codes#api-errors
  out_of_quota: openAiError(429, {
    message: "You exceeded your current quota, please check your plan and billing details.",
    type: "insufficient_quota",
    code: "insufficient_quota",
  }),
  too_long: openAiError(400, {
    message:
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 200000.",
    param: "messages",
    code: "context_length_exceeded",
  }),
  filtered: openAiError(400, {
    message: "Your request was rejected as a result of our safety system.",
    code: "content_policy_violation",
  }),
};

const RATE_HEADERS = {
  "x-ratelimit-limit-requests": "500",
  "x-ratelimit-remaining-requests": "499",
  "x-ratelimit-reset-requests": "120ms",
};

function wrap(said: Said): object {
  return { ...wrapAsOpenAi(said), service_tier: "default", system_fingerprint: "fp_test" };
}

/** OpenAI with a model that does not reason. `reasoning_effort` is an argument that it does not know. */
export const openAi: Dialect = {
  name: "OpenAI",
  sources: SOURCES,
  fields: {
    json_schema: refuseBrokenSchema,
    json_object: refuseSilentJsonMode,
    reasoning_effort: () =>
      openAiError(400, { message: "Unrecognized request argument supplied: reasoning_effort" }),
  },
  failures: OPENAI_FAILURES,
  wrap,
  headers: RATE_HEADERS,
};

/** Fields that reasoning models refuse: https://platform.openai.com/docs/guides/reasoning */
const REASONING_FIELDS: Dialect["fields"] = {
  json_schema: refuseBrokenSchema,
  json_object: refuseSilentJsonMode,
  // The value alone is refused: https://github.com/BerriAI/litellm/issues/13407
  temperature: ({ temperature }) =>
    temperature === 1
      ? null
      : openAiError(400, {
          message: `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`,
          param: "temperature",
          code: "unsupported_value",
        }),
  // https://github.com/anomalyco/opencode/issues/37964
  max_tokens: () =>
    openAiError(400, {
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      param: "max_tokens",
      code: "unsupported_parameter",
    }),
};

/** More than the bound of a short answer: https://platform.openai.com/docs/guides/reasoning#managing-the-context-window */
const REASONING_TOKENS = 1500;

/** Reasoning counts as part of the answer: https://platform.openai.com/docs/guides/reasoning#how-reasoning-works */
function withReasoningUsage(said: Said, body: object): object {
  return {
    ...body,
    usage: {
      prompt_tokens: said.promptTokens,
      completion_tokens: said.completionTokens,
      total_tokens: said.promptTokens + said.completionTokens,
      completion_tokens_details: { reasoning_tokens: said.reasoningTokens },
      prompt_tokens_details: { cached_tokens: said.cachedTokens },
    },
  };
}

/** OpenAI with a reasoning model. */
export const openAiReasoning: Dialect = {
  name: "OpenAI, reasoning",
  sources: [...SOURCES, "https://platform.openai.com/docs/guides/reasoning"],
  fields: REASONING_FIELDS,
  failures: OPENAI_FAILURES,
  reasoningTokens: REASONING_TOKENS,
  wrap: (said) => withReasoningUsage(said, wrap(said)),
  headers: RATE_HEADERS,
};

/** OpenAI with a model from before structured outputs, such as gpt-4-turbo: JSON mode and tools alone. */
export const openAiOlder: Dialect = {
  name: "OpenAI, no schemas",
  // The refusal names no parameter: https://github.com/langchain-ai/langchain/issues/31490
  sources: [...SOURCES, "https://github.com/langchain-ai/langchain/issues/31490"],
  fields: {
    ...openAi.fields,
    json_schema: () =>
      openAiError(400, {
        message:
          "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model. Learn more about supported models at the Structured Outputs guide.",
      }),
  },
  failures: OPENAI_FAILURES,
  wrap,
};
