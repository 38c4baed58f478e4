import { wrapAsOpenAi } from "./dialect.ts";
import type { Dialect, Failures, Reply } from "./dialect.ts";

const SOURCES = [
  "https://docs.litellm.ai/docs/completion/drop_params",
  "https://docs.litellm.ai/docs/exception_mapping",
  "https://docs.litellm.ai/docs/proxy/users",
  "https://github.com/Vivswan/litellm-vscode-chat/issues/18",
];

/** An error as the proxy writes it: the type and the code are texts, also where there is none. */
function proxyError(code: number, message: string, type = "None"): Reply {
  const told = `litellm.${message} Received Model Group=team\nAvailable Model Group Fallbacks=None`;
  return { status: code, body: { error: { message: told, type, param: null, code: String(code) } } };
}

const FAILURES: Failures = {
  wrong_key: proxyError(401, "AuthenticationError: Invalid proxy server token passed.", "auth_error"),
  unknown_model: proxyError(
    400,
    "BadRequestError: Invalid model name passed in model=nothing.",
    "invalid_request_error",
  ),
  rate_limited: {
    ...proxyError(429, "RateLimitError: Rate limit reached.", "throttling_error"),
    headers: { "retry-after": "3" },
  },
  out_of_quota: {
    status: 429,
    body: {
      error: {
        message: "Budget has been exceeded! Current cost: 10.51, Max budget: 10.00",
        type: "budget_exceeded",
        param: null,
        code: "429",
      },
    },
  },
  too_long: proxyError(
    400,
    "ContextWindowExceededError: This model's maximum context length is 8192 tokens.",
  ),
  filtered: proxyError(400, "ContentPolicyViolationError: content_filter: The response was filtered."),
};

/** LiteLLM's proxy before a model that takes no temperature, no schema and no tool. It drops nothing by itself. */
export const liteLlm: Dialect = {
  name: "LiteLLM",
  sources: SOURCES,
  fields: {
    temperature: ({ temperature }) =>
      proxyError(
        400,
        `UnsupportedParamsError: gpt-5 models (including gpt-5-codex) don't support temperature=${temperature}. Only temperature=1 is supported. To drop unsupported params set litellm.drop_params = True.`,
      ),
    json_schema: () =>
      proxyError(
        400,
        "UnsupportedParamsError: bedrock does not support parameters: ['response_format'], for model=team. To drop these, set `litellm.drop_params=True`.",
      ),
    json_object: () =>
      proxyError(
        400,
        "UnsupportedParamsError: bedrock does not support parameters: ['response_format'], for model=team. To drop these, set `litellm.drop_params=True`.",
      ),
    reasoning_effort: () =>
      proxyError(
        400,
        "UnsupportedParamsError: bedrock does not support parameters: ['reasoning_effort'], for model=team.",
      ),
  },
  failures: FAILURES,
  wrap: (said) => wrapAsOpenAi(said, { function_call: null, reasoning_content: said.reasoning }),
};
