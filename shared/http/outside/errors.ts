import { defineError, SutureError } from "#shared/errors";

/** An outside system limits our rate (status 429). */
export class OutsideRateLimitedError extends SutureError {
  /** Milliseconds to wait before asking again; at least 1. */
  readonly retryAfterMs: number;

  constructor(system: string, retryAfterMs: number) {
    super({
      code: "OUTSIDE_RATE_LIMITED",
      failureClass: "rate_limited",
      message: `${system} limits our rate for the next ${retryAfterMs} ms.`,
      remedy: "The message waits by itself; if that is too long, lower the agent's concurrency.",
    });
    this.retryAfterMs = retryAfterMs;
  }
}

/** An outside system could not be reached, was too slow, or answered with a server error or in a wrong form. */
export class OutsideUnavailableError extends defineError(
  (system: string, problem = "could not be reached or broke off", cause?: unknown) => ({
    code: "OUTSIDE_UNAVAILABLE",
    failureClass: "transient",
    message: `${system} ${problem}.`,
    remedy: "The message is tried again; look at that system's own status if it keeps happening.",
    cause,
  }),
) {}

/** An outside system will never take this request as it is. */
export class OutsideRefusedError extends defineError((system: string, status: number) => ({
  code: "OUTSIDE_REFUSED",
  failureClass: "handler_error",
  severity: "fatal",
  message: `${system} refused the request with status ${status}.`,
  remedy: "Compare what is sent with that system's interface; another try will not help.",
})) {}
