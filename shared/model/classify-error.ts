import { APIConnectionError, APIError } from "openai";
import { z } from "zod";
import type { SutureError } from "#shared/errors";
import { readRetryAfter } from "#shared/http/outside";
import {
  ModelAnswerTooLargeError,
  ModelInputRefusedError,
  ModelMisconfiguredError,
  ModelRateLimitedError,
  ModelRequestRefusedError,
  ModelTimeoutError,
  ModelUnavailableError,
} from "./errors.ts";
import { BodyBrokenError, BodyTooLargeError } from "./open-api.ts";
import { VALIDATION } from "./read-error-body.ts";
import { PARAMETERS } from "./request-form.ts";
import type { RefusedParameter } from "./request-form.ts";

/** 4xx that mean "not now" rather than "never": conflict, too early. */
const PASSING_STATUSES: readonly number[] = [409, 425];

/** 4xx that speak of this very request: its form, its size, what stands in it. All others speak of the settings. */
const STATUSES_OF_THE_REQUEST: readonly number[] = [400, 413, 414, 415, 422, 431];
/** Of these, those that are about the size of the input and nothing else. */
const SIZE_STATUSES: readonly number[] = [413, 414];

/** Codes and types of providers by which an input is too long, or withheld. */
const INPUT_CODES: Readonly<Record<string, ModelInputRefusedError["reason"]>> = {
  context_length_exceeded: "too_long",
  string_above_max_length: "too_long",
  exceed_context_size_error: "too_long",
  request_too_large: "too_long",
  content_filter: "filtered",
  content_policy_violation: "filtered",
};

/** The same in the words of servers that give no code of their own. */
const FILTERED = /content[ _-]?(?:filter|policy|management policy)/i;
const TOO_LONG =
  /context (?:length|size|window)|(?:prompt|input) is too long|input token count|too many (?:input )?tokens|reduce the length|max_new_tokens. must be/i;

/** The words in which endpoints name a parameter, where they are not its name alone. */
const IN_WORDS: Readonly<Partial<Record<RefusedParameter, RegExp>>> = {
  messages:
    /\broles must alternate|\bsystem (?:role|messages?|prompts?)(?: is| are)? not supported|\bnot support (?:the )?system|\bdeveloper instruction is not enabled/i,
  response_format:
    /\bresponse_?format\b|\bjson[_ ]schema\b|\bjson_object\b|\bgrammar\b|\bstructured outputs?\b|\binvalid format\b/i,
  tools: /\btools?\b|\btool_choice\b|\bfunction call/i,
  stream: /\bstream(?:ing|ed)?\b/i,
};

/** Returns where words name a parameter; -1 for nowhere. */
function placeOf(parameter: RefusedParameter, words: string): number {
  return words.search(IN_WORDS[parameter] ?? new RegExp(`\\b${parameter.replaceAll("_", "[_ ]?")}\\b`, "i"));
}

/** Statuses by which endpoints refuse a part of a request in words. */
const STATUSES_IN_WORDS: readonly number[] = [400, 404, 415, 422];

/** A model that sees no pictures, in the words of those that serve it. */
const BLIND =
  /\bimage(?:s|_url| input| inputs)?\b.{0,60}\b(?:not|only) (?:supported|enabled)|\bnot a multimodal model|\bat most 0 image|\bsupports? (?:image|vision)|\b(?:variant|part type:) .{0,3}image_url/i;

/** Servers without a template for tools refuse them as a fault of their own. */
const TOOLS_REFUSED = /\btools?\b.*(?:requires?|support)|unsupported param: tools/i;
/** A server that streams no answers, or none beside tools: https://github.com/ggml-org/llama.cpp/pull/12379 */
const STREAM_REFUSED =
  /\bcannot use tools with stream|\bstream(?:ing|ed)?\b.{0,60}\bnot (?:yet )?(?:supported|allowed|enabled)|\bnot support stream/i;
const SERVER_STATUSES: readonly number[] = [500, 501];

/** Codes and types by which an account has spent what it may: waiting changes nothing. */
const QUOTA_CODES =
  /^(?:insufficient_quota|credit_balance_exhausted|(?:organization|project)_(?:spend|usage)_limit_exceeded|billing_(?:hard_limit_reached|not_active)|budget_exceeded)$/;
const QUOTA_STATUSES: readonly number[] = [400, 402, 403, 429];
const OUT_OF_QUOTA = /credit balance is too low|budget has been exceeded|exceeded budget/i;

/** Codes of providers for a request whose form they do not take, whatever its input. */
const FORM_CODES =
  /^(?:invalid_json_schema|model_not_found|unknown_parameter|unsupported_(?:parameter|value))$/;

/** A wrong key or model, of endpoints that answer 400 to it and give no code of their own. */
const SETTING_REFUSED =
  /\bapi key (?:is )?(?:not valid|invalid)|\binvalid model\b|\bmodel\b.{0,80}\b(?:not found|does not exist)/i;

/** Words of endpoints that find fault with a request's parameters and do not say with which. */
const CALLED_INVALID =
  /\binvalid (?:argument|parameter|request|input schema)|\bunsupported (?:argument|parameter)|\brequested parameters\b|参数/i;

/** The model's own words were no JSON or no call, which endpoints report as a fault of the request or of their own. */
const GENERATION_CODES = /^(?:failed_generation|json_validate_failed|output_parse_failed|tool_use_failed)$/;
const GENERATION_FAILED =
  /failed_generation|\b(?:error|failed) (?:to )?pars(?:e|ing) tool call|\btool call validation failed|\bfailed to (?:call a function|generate (?:json|tool))|\binvalid tool generation|\b(?:generated|produced) by the model is invalid|\bmodel (?:generated|produced) (?:invalid|output that)/i;

/** The wait where an endpoint names none, and the least, in ms. */
const RETRY_AFTER_MS = { usual: 2_000, min: 50 } as const;

const wordsSchema = z.object({ message: z.string() });

/**
 * Returns one of our errors for one that the SDK threw, by its type, its status and closed lists of codes. The
 * endpoint's words are dropped, because they may hold secrets or words that a queue takes for orders.
 */
export function classifyError(
  error: unknown,
  asked: {
    readonly model: string;
    readonly answerBytesMax: number;
    readonly timeoutMs: number;
    /** Names of the fields that were sent beside the messages. Default: none. */
    readonly sent?: readonly string[];
  },
): SutureError {
  const { model } = asked;
  // Of a stream the error of its body comes as it is.
  const cause = error instanceof APIConnectionError ? error.cause : error;
  if (cause instanceof BodyTooLargeError) return new ModelAnswerTooLargeError(asked);
  if (cause instanceof BodyBrokenError) return new ModelUnavailableError({ model, reason: "truncated" });
  if (error instanceof APIConnectionError) return new ModelUnavailableError({ model, reason: "connection" });
  if (!(error instanceof APIError) || error.status === undefined) {
    // Only reading the body is left: the SDK could not parse what came with status 200.
    return new ModelUnavailableError({ model, reason: "not_a_completion" });
  }
  const status = Number(error.status);
  if (isOutOfQuota(error, status)) return new ModelMisconfiguredError({ model, status, isOutOfQuota: true });
  if (status === 429)
    return new ModelRateLimitedError({ model, retryAfterMs: readRetryAfter(error.headers, RETRY_AFTER_MS) });
  if (status === 408) return new ModelTimeoutError(asked);
  // Before its words are read for parameters: they quote what the model wrote.
  if (GENERATION_CODES.test(error.code ?? "") || GENERATION_FAILED.test(wordsOf(error.error)))
    return new ModelUnavailableError({ model, reason: "failed_generation", status });
  if (isBlind(error, status, asked.sent)) return new ModelInputRefusedError({ model, reason: "pictures" });
  const parameter = refusedParameterOf(error, status, asked);
  if (SERVER_STATUSES.includes(status) && parameter !== null)
    return new ModelMisconfiguredError({ model, status, parameter });
  if (status >= 500 || PASSING_STATUSES.includes(status)) {
    return new ModelUnavailableError({ model, reason: "status", status });
  }
  const reason = refusedInputOf(error, status);
  if (reason !== null) return new ModelInputRefusedError({ model, reason });
  const isOfTheRequest = STATUSES_OF_THE_REQUEST.includes(status);
  const isOfItsForm =
    parameter !== null ||
    FORM_CODES.test(error.code ?? "") ||
    error.type === VALIDATION ||
    SETTING_REFUSED.test(wordsOf(error.error));
  return isOfTheRequest && !isOfItsForm
    ? new ModelRequestRefusedError({ model, status, isOfForm: CALLED_INVALID.test(wordsOf(error.error)) })
    : new ModelMisconfiguredError({ model, status, parameter });
}

function isBlind({ error }: APIError, status: number, sent: readonly string[] = []): boolean {
  const speaksOfIt = STATUSES_IN_WORDS.includes(status) || SERVER_STATUSES.includes(status);
  return speaksOfIt && sent.includes("images") && BLIND.test(wordsOf(error));
}

function isOutOfQuota({ code, type, error }: APIError, status: number): boolean {
  if (!QUOTA_STATUSES.includes(status)) return false;
  return [code, type].some((one) => QUOTA_CODES.test(one ?? "")) || OUT_OF_QUOTA.test(wordsOf(error));
}

/** The part of our request that the endpoint names, of those that were sent; null where it names none. */
function refusedParameterOf(
  { param, error }: APIError,
  status: number,
  { model, sent = [] }: { readonly model: string; readonly sent?: readonly string[] },
): RefusedParameter | null {
  // The model's name may hold the word for a parameter, and a short one is a part of many words.
  const words = wordsOf(error)
    .split(/(?<![\w./:-])([\w./:-]+)/)
    .filter((word) => word !== model)
    .join("");
  if (SERVER_STATUSES.includes(status)) {
    if (placeOf("messages", words) >= 0) return "messages";
    if (sent.includes("stream") && STREAM_REFUSED.test(words)) return "stream";
    return sent.includes("tools") && TOOLS_REFUSED.test(words) ? "tools" : null;
  }
  if (sent.includes("stream") && STREAM_REFUSED.test(words)) return "stream";
  const [head = ""] = (param ?? "").split(/[.[]/);
  const named = head === "tool_choice" ? "tools" : PARAMETERS.find((one) => one === head);
  // The text of messages is the caller's; their roles alone are of our making.
  if (named !== undefined && named !== "messages") return named;
  if (!STATUSES_IN_WORDS.includes(status)) return null;
  const found = PARAMETERS.flatMap((one) => {
    const at = one === "model" || !sent.includes(one) ? -1 : placeOf(one, words);
    return at === -1 ? [] : [{ one, at }];
  });
  return found.toSorted((left, right) => left.at - right.at)[0]?.one ?? null;
}

function wordsOf(error: unknown): string {
  return wordsSchema.safeParse(error).data?.message ?? "";
}

/** Returns the reason against the input itself. Null: the endpoint refuses something else, or does not say. */
function refusedInputOf(error: APIError, status: number): ModelInputRefusedError["reason"] | null {
  if (!STATUSES_OF_THE_REQUEST.includes(status)) return null;
  if (SIZE_STATUSES.includes(status)) return "too_long";
  const known = [error.code, error.type].find(
    (code) => typeof code === "string" && Object.hasOwn(INPUT_CODES, code),
  );
  if (typeof known === "string") return INPUT_CODES[known] ?? null;
  const words = wordsOf(error.error);
  if (TOO_LONG.test(words)) return "too_long";
  return FILTERED.test(words) ? "filtered" : null;
}
