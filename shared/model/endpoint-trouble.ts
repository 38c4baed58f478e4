import {
  ModelAnswerTooLargeError,
  ModelInputRefusedError,
  ModelMisconfiguredError,
  ModelRateLimitedError,
  ModelRefusalError,
  ModelRequestRefusedError,
  ModelTimeoutError,
  ModelUnavailableError,
  isFailedGeneration,
} from "./errors.ts";

/** Why an endpoint is left alone. `configuration`: until somebody corrects a setting. */
export type EndpointReason = "unavailable" | "rate_limited" | "timeout" | "configuration";

/** What a failed call says of its endpoint: that it answers, that it is in trouble, or nothing. */
export type Trouble =
  | { readonly kind: "answered" }
  | { readonly kind: "none" }
  | { readonly kind: "trouble"; readonly reason: EndpointReason; readonly retryAfterMs: number };

/** Reads what a failed call says of its endpoint. */
export function readTrouble(error: unknown): Trouble {
  if (error instanceof ModelRateLimitedError)
    return { kind: "trouble", reason: "rate_limited", retryAfterMs: error.retryAfterMs };
  if (error instanceof ModelMisconfiguredError || error instanceof ModelRequestRefusedError)
    return { kind: "trouble", reason: "configuration", retryAfterMs: 0 };
  if (error instanceof ModelTimeoutError) return { kind: "trouble", reason: "timeout", retryAfterMs: 0 };
  if (isFailedGeneration(error)) return { kind: "answered" };
  if (error instanceof ModelUnavailableError)
    return error.reason === "closed"
      ? { kind: "none" }
      : { kind: "trouble", reason: "unavailable", retryAfterMs: 0 };
  const hasAnswered =
    error instanceof ModelInputRefusedError ||
    error instanceof ModelAnswerTooLargeError ||
    error instanceof ModelRefusalError;
  return { kind: hasAnswered ? "answered" : "none" };
}
