import { openAiError, wrapAsOpenAi } from "./dialect.ts";
import type { ChatRequest, Dialect, Failures, Reply } from "./dialect.ts";

const ANTHROPIC_SOURCES = [
  "https://platform.claude.com/docs/en/api/openai-sdk",
  "https://platform.claude.com/docs/en/api/errors",
];

const ANTHROPIC_FAILURES: Failures = {
  wrong_key: openAiError(401, { message: "invalid x-api-key", type: "authentication_error", code: null }),
  unknown_model: openAiError(404, { message: "model: nothing", type: "not_found_error" }),
  rate_limited: openAiError(
    429,
    { message: "This request would exceed your organization's rate limit.", type: "rate_limit_error" },
    { "retry-after": "3", "anthropic-ratelimit-requests-remaining": "0" },
  ),
  // Status 400, and no code of its own: https://github.com/continuedev/continue/issues/5499
  out_of_quota: openAiError(400, {
    message:
      "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
  }),
  too_long: openAiError(400, { message: "prompt is too long: 208310 tokens > 200000 maximum" }),
  filtered: openAiError(400, { message: "Output blocked by content filtering policy" }),
};

/** Anthropic's OpenAI-compatible door. It leaves `response_format`, `reasoning_effort` and tools' `strict` unread. */
export const anthropic: Dialect = {
  name: "Anthropic",
  sources: ANTHROPIC_SOURCES,
  fields: { json_schema: "ignores", json_object: "ignores", reasoning_effort: "ignores" },
  failures: ANTHROPIC_FAILURES,
  wrap: (said) => ({ ...wrapAsOpenAi(said), system_fingerprint: null }),
  headers: { "anthropic-ratelimit-requests-remaining": "49" },
};

const GEMINI_SOURCES = [
  "https://ai.google.dev/gemini-api/docs/openai",
  "https://ai.google.dev/gemini-api/docs/troubleshooting",
  "https://github.com/n4ze3m/page-assist/issues/406",
];

const SIGNATURE = { google: { thought_signature: "dGVzdA==" } };

/** An error as Google writes it: in an array, with a number as code and a status in capitals. */
function googleError(code: number, status: string, message: string, details: readonly object[] = []): Reply {
  const more = details.length === 0 ? {} : { details };
  return { status: code, body: [{ error: { code, message, status, ...more } }] };
}

const GEMINI_FAILURES: Failures = {
  wrong_key: googleError(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [
    { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" },
  ]),
  unknown_model: googleError(404, "NOT_FOUND", "models/nothing is not found for API version v1main."),
  // The wait stands in the body alone: https://cloud.google.com/apis/design/errors#error_details
  rate_limited: googleError(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota).", [
    { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "3s" },
  ]),
  out_of_quota: null,
  too_long: googleError(
    400,
    "INVALID_ARGUMENT",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  ),
  filtered: null,
};

/**
 * Google's OpenAI-compatible door. A call of a tool ends with "stop":
 * https://discuss.ai.google.dev/tag/openai-compatibility/417
 */
export const gemini: Dialect = {
  name: "Google Gemini",
  sources: GEMINI_SOURCES,
  fields: {
    tools: refuseTools,
    // https://github.com/ctrl-space-labs/gendox-core/issues/480
    reasoning_effort: ({ reasoning_effort: effort }) =>
      ["high", "medium", "low", "none"].includes(String(effort))
        ? null
        : googleError(
            400,
            "INVALID_ARGUMENT",
            `Invalid reasoning_effort: ${effort}. Valid values are: high, low, medium, none`,
          ),
  },
  failures: GEMINI_FAILURES,
  wrap: (said) => {
    const { choices, ...rest } = wrapAsOpenAi(said, { extra_content: SIGNATURE }) as {
      readonly choices: readonly { readonly message: { readonly tool_calls?: readonly object[] } }[];
    };
    const [choice] = choices;
    const calls = choice?.message.tool_calls?.map((call) => ({ ...call, extra_content: SIGNATURE }));
    const message = { ...choice?.message, ...(calls === undefined ? {} : { tool_calls: calls }) };
    return { ...rest, choices: [{ ...choice, finish_reason: said.isCutOff ? "length" : "stop", message }] };
  },
};

/**
 * An older model behind the door, to which a field is unknown, and which does not say what is wrong with a schema:
 * https://github.com/dzhng/deep-research/issues/23, https://github.com/google-gemini/gemini-cli/issues/15514
 */
export const geminiOlder: Dialect = {
  ...gemini,
  name: "Google Gemini, older",
  fields: {
    tools: ({ tools = [], ...request }) =>
      tools.some((tool) => tool.function.strict !== undefined)
        ? unknownName("strict", "request.tools[0].function_declarations[0]")
        : refuseTools(request),
    json_schema: () => googleError(400, "INVALID_ARGUMENT", "Request contains an invalid argument."),
    reasoning_effort: () => unknownName("reasoning_effort"),
    max_completion_tokens: () => unknownName("max_completion_tokens"),
  },
};

/**
 * Tools beside JSON mode or a schema are refused, and so is a call that comes back without its thought signature:
 * https://github.com/googleapis/python-genai/issues/867, https://ai.google.dev/gemini-api/docs/thought-signatures
 */
function refuseTools({ messages, response_format: format }: ChatRequest): Reply | null {
  if (format !== undefined)
    return googleError(
      400,
      "INVALID_ARGUMENT",
      "Function calling with a response mime type: 'application/json' is unsupported",
    );
  const calls = messages.flatMap(({ tool_calls: own = [] }) => own);
  return calls.every(({ extra_content: extra }) => JSON.stringify(extra) === JSON.stringify(SIGNATURE))
    ? null
    : googleError(
        400,
        "INVALID_ARGUMENT",
        "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.",
      );
}

/** @param at - Where it stands: https://github.com/router-for-me/CLIProxyAPI/issues/102 */
function unknownName(name: string, at?: string): Reply {
  const place = at === undefined ? "" : ` at '${at}'`;
  const description = `Invalid JSON payload received. Unknown name "${name}"${place}: Cannot find field.`;
  return googleError(400, "INVALID_ARGUMENT", description, [
    {
      "@type": "type.googleapis.com/google.rpc.BadRequest",
      fieldViolations: [{ ...(at !== undefined && { field: at }), description }],
    },
  ]);
}

const MISTRAL_SOURCES = [
  "https://docs.mistral.ai/api/",
  "https://docs.mistral.ai/capabilities/reasoning/",
  "https://github.com/vectorize-io/hindsight/issues/852",
  "https://github.com/mistralai/platform-docs-public/issues/7",
];

/** An error as the API writes it; of a request that FastAPI refuses, `message` holds the details. */
function mistralError(
  status: number,
  message: unknown,
  type = "invalid_request_error",
  code: string | null = null,
): Reply {
  return { status, body: { object: "error", message, type, param: null, code } };
}

/** https://github.com/Gitlawb/openclaude/issues/739 has the same without the object around it. */
function extraForbidden(field: string, input: unknown): Reply {
  const detail = [
    { type: "extra_forbidden", loc: ["body", field], msg: "Extra inputs are not permitted", input },
  ];
  return mistralError(422, { detail });
}

const MISTRAL_FAILURES: Failures = {
  wrong_key: { status: 401, body: { detail: "Unauthorized" } },
  unknown_model: mistralError(400, "Invalid model: nothing", "invalid_model", "1500"),
  // https://github.com/cline/cline/issues/9085
  rate_limited: mistralError(429, "Rate limit exceeded", "rate_limited", "1300"),
  out_of_quota: null,
  too_long: mistralError(
    400,
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    "invalid_request_prompt",
    "3051",
  ),
  filtered: null,
};

/** Mistral. No field is taken that it does not know, and thoughts are a part of the content. */
export const mistral: Dialect = {
  name: "Mistral",
  sources: MISTRAL_SOURCES,
  fields: {
    // https://github.com/anomalyco/opencode/issues/1680
    tools: ({ messages }) => {
      const ids = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
      const wrong = ids.find((id) => !/^[A-Za-z0-9]{9}$/.test(id));
      return wrong === undefined
        ? null
        : mistralError(
            400,
            `Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`,
            "invalid_function_call",
            "3280",
          );
    },
    max_completion_tokens: ({ max_completion_tokens: value }) =>
      extraForbidden("max_completion_tokens", value),
    // https://github.com/openai/openai-agents-python/issues/442
    stream_options: () => extraForbidden("stream_options", { include_usage: true }),
    reasoning_effort: ({ reasoning_effort: value }) => extraForbidden("reasoning_effort", value),
  },
  failures: MISTRAL_FAILURES,
  // https://github.com/dnakov/anon-kode/issues/53
  streamsUsage: true,
  wrap: (said) => {
    const thoughts = { type: "thinking", thinking: [{ type: "text", text: said.reasoning }] };
    const content = said.text === null ? "" : [thoughts, { type: "text", text: said.text }];
    return wrapAsOpenAi(said, { content, prefix: false });
  },
};
