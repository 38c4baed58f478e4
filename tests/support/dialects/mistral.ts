import { wrapAsOpenAi } from "./dialect.ts";
import type { Dialect, Failures, Reply } from "./dialect.ts";

const SOURCES = [
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

const FAILURES: Failures = {
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
  sources: SOURCES,
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
  failures: FAILURES,
  // https://github.com/dnakov/anon-kode/issues/53
  streamsUsage: true,
  wrap: (said) => {
    const thoughts = { type: "thinking", thinking: [{ type: "text", text: said.reasoning }] };
    const content = said.text === null ? "" : [thoughts, { type: "text", text: said.text }];
    return wrapAsOpenAi(said, { content, prefix: false });
  },
};
