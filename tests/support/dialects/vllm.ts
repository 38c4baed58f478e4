import { wrapAsOpenAi } from "./dialect.ts";
import type { ChatRequest, Dialect, Failures, Reply } from "./dialect.ts";

const SOURCES = [
  "https://docs.vllm.ai/en/stable/serving/openai_compatible_server/",
  "https://docs.vllm.ai/en/stable/features/reasoning_outputs/",
  "https://github.com/vllm-project/vllm/pull/10463",
];

/** An error as the server writes it: no `error` around it, and a number as its code. */
function vllmError(status: number, message: string, type = "BadRequestError"): Reply {
  return { status, body: { object: "error", message, type, param: null, code: status } };
}

const FAILURES: Failures = {
  wrong_key: { status: 401, body: { error: "Unauthorized" } },
  unknown_model: vllmError(404, "The model `nothing` does not exist.", "NotFoundError"),
  rate_limited: vllmError(429, "Too many requests.", "RateLimitError"),
  out_of_quota: null,
  // https://github.com/vllm-project/vllm/issues/20409
  too_long: vllmError(
    400,
    "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
  ),
  filtered: null,
};

/** vLLM: fields that it does not know are left unread, and thoughts come beside the answer. */
export const vllm: Dialect = {
  name: "vLLM",
  sources: SOURCES,
  fields: { reasoning_effort: "ignores" },
  failures: FAILURES,
  wrap: (said) => ({
    ...wrapAsOpenAi(said, { reasoning_content: said.reasoning, reasoning: said.reasoning }),
    prompt_logprobs: null,
  }),
};

/**
 * A text model whose template knows neither a system nor two messages of one role in a row:
 * https://github.com/vllm-project/vllm/pull/2964, https://github.com/browser-use/browser-use/issues/1237,
 * https://github.com/vllm-project/vllm/issues/23402
 */
export const vllmGemma: Dialect = {
  ...vllm,
  name: "vLLM, Gemma",
  fields: {
    ...vllm.fields,
    system: () => vllmError(400, "System role not supported"),
    images: () => vllmError(400, "google/gemma-2-2b-it is not a multimodal model"),
  },
};

/** One item of what pydantic found, as Python prints it. */
function forbidden(field: string): string {
  return `[{'type': 'extra_forbidden', 'loc': ('body', '${field}'), 'msg': 'Extra inputs are not permitted', 'input': 8192}]`;
}

/**
 * A release from before 2025, which takes no field that it does not know, no schema and no tool without a flag:
 * https://github.com/voideditor/void/issues/128, https://github.com/openai/openai-agents-python/issues/2129
 */
export const vllmOlder: Dialect = {
  ...vllm,
  name: "vLLM, older",
  fields: {
    json_schema: () =>
      vllmError(
        400,
        "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\", 'input': 'json_schema', 'ctx': {'expected': \"'text' or 'json_object'\"}}]",
      ),
    max_completion_tokens: () => vllmError(400, forbidden("max_completion_tokens")),
    reasoning_effort: () => vllmError(400, forbidden("reasoning_effort")),
    tools: ({ tool_choice: choice }: ChatRequest) =>
      typeof choice === "object"
        ? null
        : vllmError(
            400,
            '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
          ),
  },
};
