/** A reply as an endpoint sends it. A string is sent as text, anything else as JSON. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Parts of requests that not all endpoints take: forms of `response_format`, a `system` role, images. */
export const FIELDS = [
  "system",
  "images",
  "json_schema",
  "json_object",
  "tools",
  "max_completion_tokens",
  "max_tokens",
  "temperature",
  "reasoning_effort",
  "stream",
  "stream_options",
] as const;

export type Field = (typeof FIELDS)[number];

interface SentCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
  readonly extra_content?: unknown;
}

/** A chat completion request as it came. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: unknown;
    readonly tool_calls?: readonly SentCall[];
    readonly tool_call_id?: string;
  }[];
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: {
      readonly name: string;
      readonly strict?: boolean;
      readonly schema: Readonly<Record<string, unknown>>;
    };
  };
  readonly tools?: readonly {
    readonly function: {
      readonly name: string;
      readonly strict?: boolean;
      readonly parameters: Readonly<Record<string, unknown>>;
    };
  }[];
  readonly tool_choice?: unknown;
  readonly max_completion_tokens?: number;
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly reasoning_effort?: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
}

/** Treatment of a field by an endpoint: it takes it, leaves it unread, or answers with a refusal. */
export type Treatment = "takes" | "ignores" | ((request: ChatRequest) => Reply | null);

/** Failures that every provider has its own words for. Null where its documentation names none. */
export interface Failures {
  readonly wrong_key: Reply;
  readonly unknown_model: Reply;
  readonly rate_limited: Reply;
  readonly out_of_quota: Reply | null;
  readonly too_long: Reply;
  readonly filtered: Reply | null;
}

export type Failure = keyof Failures;

/** A model's answer, before its endpoint wraps it. */
export interface Said {
  readonly model: string;
  /** Null where the answer is calls of tools. */
  readonly text: string | null;
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[];
  /** The model chose to call tools, rather than being told which. */
  readonly hasChosen: boolean;
  /** The model's thoughts. */
  readonly reasoning: string;
  readonly isCutOff: boolean;
  readonly promptTokens: number;
  /** Reasoning included. */
  readonly completionTokens: number;
  readonly reasoningTokens: number;
  /** Of the prompt, read from a cache. */
  readonly cachedTokens: number;
}

/** Differences of one kind of endpoint from OpenAI's. Written from its documentation: `sources` has the addresses. */
export interface Dialect {
  readonly name: string;
  readonly sources: readonly string[];
  /** Fields that are not named are taken. */
  readonly fields: Partial<Readonly<Record<Field, Treatment>>>;
  readonly failures: Failures;
  /** Tokens that its model uses to reason before each answer, within the answer's bound. Default: 0. */
  readonly reasoningTokens?: number;
  /** The body of an answer. */
  readonly wrap: (said: Said) => object;
  /** A stream reports tokens though nobody asks. Default false. */
  readonly streamsUsage?: boolean;
  /** Headers of every answer. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A completion as OpenAI documents it: https://platform.openai.com/docs/api-reference/chat/object */
export function wrapAsOpenAi(said: Said, message: object = {}): object {
  const { toolCalls } = said;
  const calls =
    toolCalls.length === 0
      ? {}
      : { tool_calls: toolCalls.map((call) => ({ id: "call_1", type: "function", function: call })) };
  return {
    id: "chatcmpl-test",
    object: "chat.completion",
    created: 1_760_000_000,
    model: said.model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: said.text, refusal: null, ...calls, ...message },
        // So does a call of the function that the request names: https://github.com/vllm-project/vllm/pull/25054
        finish_reason: said.isCutOff ? "length" : said.hasChosen ? "tool_calls" : "stop",
        logprobs: null,
      },
    ],
    usage: {
      prompt_tokens: said.promptTokens,
      completion_tokens: said.completionTokens,
      total_tokens: said.promptTokens + said.completionTokens,
    },
  };
}

/** An error body as OpenAI documents it: https://platform.openai.com/docs/guides/error-codes */
export function openAiError(
  status: number,
  error: {
    readonly message: string;
    readonly type?: string | null;
    readonly param?: string | null;
    readonly code?: string | null;
  },
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const { message, type = "invalid_request_error", param = null, code = null } = error;
  return { status, body: { error: { message, type, param, code } }, headers };
}
