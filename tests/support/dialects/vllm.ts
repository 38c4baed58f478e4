import { wrapAsOpenAi } from "./dialect.ts";
import type { Dialect, Failures, Reply } from "./dialect.ts";

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
const vllm: Dialect = {
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
