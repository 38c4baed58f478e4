import { openAiError, wrapAsOpenAi } from "./dialect.ts";
import type { Dialect, Failures, Said } from "./dialect.ts";
import { openAi, openAiOlder, REASONING_FIELDS, withReasoningUsage } from "./openai.ts";

const SOURCES = [
  "https://learn.microsoft.com/azure/ai-foundry/openai/reference",
  "https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter",
  "https://github.com/openai/openai-python/issues/1724",
];

const SAFE = { filtered: false, severity: "safe" };
const VERDICTS = { hate: SAFE, self_harm: SAFE, sexual: SAFE, violence: SAFE };

const FAILURES: Failures = {
  wrong_key: {
    status: 401,
    body: {
      error: { code: "401", message: "Access denied due to invalid subscription key or wrong API endpoint." },
    },
  },
  unknown_model: {
    status: 404,
    body: {
      error: { code: "DeploymentNotFound", message: "The API deployment for this resource does not exist." },
    },
  },
  rate_limited: {
    status: 429,
    body: { error: { code: "429", message: "Requests have exceeded the call rate limit of your tier." } },
    headers: { "retry-after": "3", "retry-after-ms": "3000", "x-ratelimit-remaining-requests": "0" },
  },
  out_of_quota: openAiError(429, {
    message: "You exceeded your current quota, please check your plan and billing details.",
    type: "insufficient_quota",
    code: "insufficient_quota",
  }),
  too_long: openAiError(400, {
    message: "This model's maximum context length is 128000 tokens.",
    param: "messages",
    code: "context_length_exceeded",
  }),
  // The prompt is withheld: https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter
  filtered: {
    status: 400,
    body: {
      error: {
        message:
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        type: null,
        param: "prompt",
        code: "content_filter",
        status: 400,
        innererror: {
          code: "ResponsibleAIPolicyViolation",
          content_filter_result: { ...VERDICTS, violence: { filtered: true, severity: "medium" } },
        },
      },
    },
  },
};

function wrap(said: Said): object {
  return {
    ...wrapAsOpenAi(said),
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: VERDICTS }],
  };
}

const HEADERS = { "x-ratelimit-remaining-requests": "99", "x-ratelimit-remaining-tokens": "99000" };

/** Azure OpenAI with a deployment that does not reason. */
export const azure: Dialect = {
  name: "Azure OpenAI",
  sources: SOURCES,
  fields: openAi.fields,
  failures: FAILURES,
  wrap,
  headers: HEADERS,
};

/** A deployment of a reasoning model: its name is the operator's and tells nothing of the model. */
export const azureReasoning: Dialect = {
  ...azure,
  name: "Azure OpenAI, reasoning",
  fields: REASONING_FIELDS,
  reasoningTokens: 1500,
  wrap: (said) => withReasoningUsage(said, wrap(said)),
};

/** An older version of the API: no schemas, and a bound that it does not know and names in its words alone. */
export const azureOlder: Dialect = {
  ...azure,
  name: "Azure OpenAI, older API",
  fields: {
    ...openAiOlder.fields,
    // https://github.com/langchain-ai/langchain/pull/23552
    stream_options: () =>
      openAiError(400, { message: "Unrecognized request argument supplied: stream_options" }),
    max_completion_tokens: () =>
      openAiError(400, { message: "Unrecognized request argument supplied: max_completion_tokens" }),
  },
};
