import { APIConnectionError, APIError } from "openai";
import { z } from "zod";
import type { SutureError } from "#shared/errors";
import { BodyBrokenError, BodyTooLargeError } from "./bounded-fetch.ts";
import {
  ModelAnswerTooLargeError,
  ModelInputRefusedError,
  ModelMisconfiguredError,
  ModelRateLimitedError,
  ModelRequestRefusedError,
  ModelTimeoutError,
  ModelUnavailableError,
} from "./errors.ts";
import type { RefusedParameter } from "./errors.ts";
import { readRetryAfter } from "./retry-after.ts";

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
const TOO_LONG = /context (?:length|size|window)|(?:prompt|input) is too long|input token count/i;

/** What we send beside the input, as endpoints name it: a refusal that names one is about our request's form. */
const PARAMETERS: readonly RefusedParameter[] = [
  "model",
  "response_format",
  "max_completion_tokens",
  "temperature",
];

/** Codes of providers for a request whose form they do not take, whatever its input. */
const FORM_CODES: readonly string[] = [
  "invalid_json_schema",
  "model_not_found",
  "unknown_parameter",
  "unsupported_parameter",
  "unsupported_value",
];

const wordsSchema = z.object({ message: z.string() });

/**
 * What the SDK threw, as one of our errors. Decides by type, status and, for what is refused, by closed lists of codes;
 * the endpoint's words are dropped, because they may hold secrets or words that a queue takes for orders.
 */
export function classifyError(
  error: unknown,
  asked: { readonly model: string; readonly answerBytesMax: number; readonly timeoutMs: number },
): SutureError {
  const { model } = asked;
  if (error instanceof APIConnectionError) {
    if (error.cause instanceof BodyTooLargeError) return new ModelAnswerTooLargeError(asked);
    const reason = error.cause instanceof BodyBrokenError ? "truncated" : "connection";
    return new ModelUnavailableError({ model, reason });
  }
  if (!(error instanceof APIError) || error.status === undefined) {
    // Only reading the body is left: the SDK could not parse what came with status 200.
    return new ModelUnavailableError({ model, reason: "not_a_completion" });
  }
  const status = Number(error.status);
  if (status === 429)
    return new ModelRateLimitedError({ model, retryAfterMs: readRetryAfter(error.headers) });
  if (status === 408) return new ModelTimeoutError(asked);
  if (status >= 500 || PASSING_STATUSES.includes(status)) {
    return new ModelUnavailableError({ model, reason: "status", status });
  }
  const reason = refusedInputOf(error, status);
  if (reason !== null) return new ModelInputRefusedError({ model, reason });
  const [named] = (error.param ?? "").split(".");
  const parameter = PARAMETERS.find((one) => one === named) ?? null;
  const isOfTheRequest = STATUSES_OF_THE_REQUEST.includes(status);
  const isOfItsForm = parameter !== null || FORM_CODES.includes(error.code ?? "");
  return isOfTheRequest && !isOfItsForm
    ? new ModelRequestRefusedError({ model, status })
    : new ModelMisconfiguredError({ model, status, parameter });
}

/** Why the endpoint refuses the input itself; null when it refuses something else, or does not say. */
function refusedInputOf(error: APIError, status: number): ModelInputRefusedError["reason"] | null {
  if (!STATUSES_OF_THE_REQUEST.includes(status)) return null;
  if (SIZE_STATUSES.includes(status)) return "too_long";
  const known = [error.code, error.type].find(
    (code) => typeof code === "string" && Object.hasOwn(INPUT_CODES, code),
  );
  if (typeof known === "string") return INPUT_CODES[known] ?? null;
  const words = wordsSchema.safeParse(error.error);
  return words.success && TOO_LONG.test(words.data.message) ? "too_long" : null;
}
