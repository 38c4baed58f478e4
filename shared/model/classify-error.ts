import { APIConnectionError, APIError } from "openai";
import type { SutureError } from "#shared/errors";
import { BodyBrokenError, BodyTooLargeError } from "./bounded-fetch.ts";
import {
  ModelAnswerTooLargeError,
  ModelMisconfiguredError,
  ModelRateLimitedError,
  ModelRequestRefusedError,
  ModelTimeoutError,
  ModelUnavailableError,
} from "./errors.ts";
import { readRetryAfter } from "./retry-after.ts";

/** 4xx that mean "not now" rather than "never": conflict, too early. */
const PASSING_STATUSES: readonly number[] = [409, 425];

/** 4xx that speak of this very request: its form, its size, what stands in it. All others speak of the settings. */
const STATUSES_OF_THE_REQUEST: readonly number[] = [400, 413, 414, 415, 422, 431];

/**
 * What the SDK threw, as one of our errors. Decides by type and status alone; the endpoint's words are dropped, because
 * they may hold secrets or words that a queue takes for orders.
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
  return STATUSES_OF_THE_REQUEST.includes(status)
    ? new ModelRequestRefusedError({ model, status })
    : new ModelMisconfiguredError({ model, status });
}
