import { wrapAsOpenAi } from "./dialect.ts";
import type { ChatRequest, Dialect, Failures, Reply } from "./dialect.ts";

const SOURCES = [
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

const FAILURES: Failures = {
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
  sources: SOURCES,
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
  failures: FAILURES,
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
