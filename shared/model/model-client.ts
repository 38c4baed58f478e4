import type { ReasoningEffort } from "#shared/config";
import type { JsonSchema } from "#shared/json";
import type { RequestedCall, ToolDeclaration, ToolRound } from "./tool-calls.ts";

/** One of the three configured models. */
export type ModelTier = "router" | "worker" | "surgeon";

interface ModelTurn {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** A picture that a question is about. Read when the call is made; never recorded and never in a queue. */
export interface ModelImage {
  readonly mimeType: "image/png" | "image/jpeg";
  readonly bytes: Uint8Array;
}

/** Cost of a call: USD, and tokens in both directions. */
export interface CallCost {
  readonly cost: number;
  readonly tokens: number;
}

/** One question to one model. Everything in it may be sent to the endpoint, so it holds no secret. */
export interface ModelCall {
  readonly tier: ModelTier;
  /** Asked in place of the tier's model. Default: that. */
  readonly model?: string;
  /** The system prompt. Holds no data. */
  readonly instructions: string;
  /** Input of the model, as JSON text. Sent as the user's message, byte for byte. */
  readonly input: string;
  /** Shown beside the input, in this order; within `IMAGE_BOUNDS`. Default: none. */
  readonly images?: readonly ModelImage[];
  /** Turns before the input, oldest first. Default: none. */
  readonly history?: readonly ModelTurn[];
  /** Name of the answer's schema, e.g. a contract's id; what the endpoint cannot take in it is replaced. */
  readonly schemaName: string;
  /** Schema of the answer, draft 2020-12 as `contract()` writes it. */
  readonly jsonSchema: JsonSchema;
  /** `xml`: the instructions say of which form the answer is, and the schema is not sent. Default `json`. */
  readonly answersIn?: "json" | "xml";
  /** Tools that the model may call instead of answering. Default: none. */
  readonly tools?: readonly ToolDeclaration[];
  /** Rounds of tool calls before this one, with the results, oldest first. Default: none. */
  readonly exchange?: readonly ToolRound[];
  /** Upper bound of the answer in tokens; reasoning has a budget of its own. Default: the endpoint's. */
  readonly tokensMax?: number;
  /** Tokens, with reasoning, at least: `higherLimit` of a cut-off answer. Default: `tokensMax` and the tier's. */
  readonly room?: number;
  /** Effort of the model's reasoning, where it can be set. Default: the tier's setting. */
  readonly effort?: ReasoningEffort;
  /** Not sent to reasoning models, which take none. Default: the endpoint's. */
  readonly temperature?: number;
  /** Aborting it ends the call at once; `ask` then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** From `ask` to the last byte of the answer. Default: the client's. */
  readonly timeoutMs?: number;
  /** `name@version` of the agent that asks. */
  readonly agent: string;
  /** Name of the step that asks; with `agent` it names the stand-in in rehearsal. */
  readonly step: string;
  /**
   * Called when the question leaves, and again where it is sent once more and may be paid twice. `atMost` says what the
   * call can cost; where `ask` rejects, that is all there is to know (see `mayBePaid`). Default: nothing.
   */
  readonly onSending?: (atMost: () => CallCost) => void;
  /** Prepares what the call's span holds of its content. Default: it holds none. */
  readonly content?: SpanContent;
  /** Set when the model is asked again because its answer was unusable. Default: a first question. */
  readonly reask?: { readonly previousAnswer: string; readonly problems: string };
}

/** Redaction of a call's content on spans: each takes a text as it is sent or comes, and returns it redacted. */
export interface SpanContent {
  readonly instructions: (text: string) => string;
  /** Of the input, as JSON text. */
  readonly input: (text: string) => string;
  /** Of earlier turns, and of what asks again. */
  readonly other: (text: string) => string;
  readonly answer: (text: string) => string;
}

/** Tokens of one call. */
export interface TokenUsage {
  readonly input_tokens: number;
  /** Reasoning included. */
  readonly output_tokens: number;
  /** Input tokens that the provider read from its cache. Default 0. */
  readonly cached_tokens?: number;
  /** Output tokens that the model used to reason, where the endpoint tells. Default 0. */
  readonly reasoning_tokens?: number;
}

/** Answer of a model, checked in form only: the caller finds out whether `text` keeps the contract. */
export interface ModelAnswer {
  /** The model's words, byte for byte. Nulls that strict mode asks for are its reader's: see `dropAddedNulls`. */
  readonly text: string;
  /** Calls that it asks for, and how it was told of tools: with `prompt`, calls are written in `text`. */
  readonly tools?: { readonly by: "calls" | "prompt"; readonly calls: readonly RequestedCall[] };
  /** The model that the endpoint says answered; the one asked for when it does not say. */
  readonly model: string;
  /** As reported; estimated (four characters a token) where the report is missing or makes no sense. */
  readonly usage: TokenUsage;
  /** USD, never negative. */
  readonly cost: number;
  /** `length`: cut off at the token limit. `refusal`: only in the answer of a ModelRefusalError. */
  readonly finish: "stop" | "length" | "refusal" | "other";
  /** For an answer that was cut off: the `room` with which to ask again. Absent: there is no more to be had. */
  readonly higherLimit?: number;
  /** From `ask` to the last byte, in milliseconds. */
  readonly durationMs: number;
}

/** The model as a port. Safe for concurrent use. */
export interface ModelClient {
  /**
   * Asks once; never retries by itself, because retrying is the retry queue's work.
   * @throws {ModelTimeoutError} No complete answer in time. {ModelRateLimitedError} 429, with `retryAfterMs`.
   * @throws {ModelUnavailableError} 5xx, a broken connection, or bytes that are no completion.
   * @throws {ModelInputRefusedError} A 4xx about the input: too long, or withheld by the provider's filter.
   * @throws {ModelRequestRefusedError} A 4xx about this very request that does not say what is wrong.
   * @throws {ModelMisconfiguredError} Any other 4xx, or a redirect: a wrong key, address, model name or form.
   * @throws {ModelAnswerTooLargeError} It was cut off. {ModelImagesRefusedError} Nothing was sent.
   * @throws {ModelRefusalError} The model, or its filter, declined. {unknown} `call.signal.reason`, once aborted.
   */
  ask(call: ModelCall): Promise<ModelAnswer>;
  /** True when the bundled rehearsal server answers instead of a model. */
  readonly rehearsal: boolean;
  /** Base URL of what is asked; with a model's name it tells circuits apart. */
  readonly endpoint: string;
  /** The configured model of a tier. */
  modelFor(tier: ModelTier): string;
  /** Returns the most tokens that a tier's answer can have, reasoning included, as far as known before the call. */
  roomOf(asked: Pick<ModelCall, "tier" | "model" | "tokensMax" | "room">): number;
  /** Ends calls in flight as unavailable; later calls fail the same way. */
  close(): void;
}

/** The agent and step of `suture doctor --model`, which the rehearsal server answers by itself and undamaged. */
export const PROBE = { agent: "doctor@1", step: "probe" } as const;
