import { openAiError, wrapAsOpenAi } from "./dialect.ts";
import type { Dialect, Failures, Reply, Said } from "./dialect.ts";

const OLLAMA_SOURCES = [
  "https://docs.ollama.com/api/openai-compatibility",
  "https://github.com/ollama/ollama/blob/main/openai/openai.go",
  "https://github.com/ollama/ollama/issues/18575",
];

const OLLAMA_FAILURES: Failures = {
  // Its own API answers with a string, which proxies before it pass on: https://docs.ollama.com/api/errors
  wrong_key: { status: 401, body: { error: "unauthorized" } },
  unknown_model: openAiError(404, { message: 'model "nothing" not found', type: "not_found_error" }),
  rate_limited: { status: 429, body: { error: "too many requests" } },
  out_of_quota: null,
  too_long: openAiError(400, { message: "the input length exceeds the context length" }),
  filtered: null,
};

/** Ollama: reads `max_tokens` alone; leaves unknown fields unread; calls end with "tool_calls". */
export const ollama: Dialect = {
  name: "Ollama",
  sources: OLLAMA_SOURCES,
  fields: { max_completion_tokens: "ignores", reasoning_effort: "ignores" },
  failures: OLLAMA_FAILURES,
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

const VLLM_SOURCES = [
  "https://docs.vllm.ai/en/stable/serving/openai_compatible_server/",
  "https://docs.vllm.ai/en/stable/features/reasoning_outputs/",
  "https://github.com/vllm-project/vllm/pull/10463",
];

/** An error as the server writes it: no `error` around it, and a number as its code. */
function vllmError(status: number, message: string, type = "BadRequestError"): Reply {
  return { status, body: { object: "error", message, type, param: null, code: status } };
}

const VLLM_FAILURES: Failures = {
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
  sources: VLLM_SOURCES,
  fields: { reasoning_effort: "ignores" },
  failures: VLLM_FAILURES,
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

const LLAMA_SOURCES = [
  "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md",
  "https://github.com/ggml-org/llama.cpp/pull/15780",
];

/** An error as the server writes it: its code is the status, as a number. */
function llamaError(code: number, message: string, type: string, more: object = {}): Reply {
  return { status: code, body: { error: { code, message, type, ...more } } };
}

const LLAMA_FAILURES: Failures = {
  wrong_key: llamaError(401, "Invalid API Key", "authentication_error"),
  unknown_model: llamaError(400, "model not found", "invalid_request_error"),
  rate_limited: llamaError(503, "Loading model", "unavailable_error"),
  out_of_quota: null,
  too_long: llamaError(
    400,
    "the request exceeds the available context size, try increasing it",
    "exceed_context_size_error",
    { n_prompt_tokens: 9000, n_ctx: 4096 },
  ),
  filtered: null,
};

function wrap(said: Said): object {
  return {
    ...wrapAsOpenAi(said, { reasoning_content: said.reasoning }),
    timings: { prompt_n: said.promptTokens, predicted_n: said.completionTokens },
  };
}

/** llama.cpp's server: a schema becomes a grammar. */
const llamaCpp: Dialect = {
  name: "llama.cpp",
  sources: LLAMA_SOURCES,
  fields: { reasoning_effort: "ignores" },
  failures: LLAMA_FAILURES,
  wrap,
};

/**
 * The server with a template whose thoughts its grammar does not know, without `--jinja`, and with
 * `--reasoning-format none`: no form is left but the prompt, and thoughts stand in the text. Tools are refused as a
 * fault of the server, and so are pictures. https://github.com/ggml-org/llama.cpp/issues/21600,
 * https://github.com/defilantech/LLMKube/issues/126, https://github.com/ggml-org/llama.cpp/issues/15377
 */
export const llamaCppBare: Dialect = {
  ...llamaCpp,
  name: "llama.cpp, no grammar",
  fields: {
    ...llamaCpp.fields,
    images: () =>
      llamaError(
        500,
        "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
        "server_error",
      ),
    json_schema: () => llamaError(400, NO_GRAMMAR, "invalid_request_error"),
    json_object: () => llamaError(400, NO_GRAMMAR, "invalid_request_error"),
    // https://github.com/simonw/llm-llama-server/issues/3
    stream: ({ tools }) =>
      tools === undefined ? null : llamaError(500, "Cannot use tools with stream", "server_error"),
    tools: () => llamaError(500, "tools param requires --jinja flag", "server_error"),
  },
  wrap: (said) =>
    wrap({
      ...said,
      text: said.text === null ? null : `<think>\n${said.reasoning}\n</think>\n\n${said.text}`,
    }),
};

const NO_GRAMMAR =
  "Failed to initialize samplers: Unexpected empty grammar stack after accepting piece: <think> (248068)";
