import { defineError, SutureError } from "#shared/errors";

/** An outside system did not answer completely in time. */
export class OutsideTimeoutError extends defineError((system: string, timeoutMs: number) => ({
  code: "SUPPORT_OUTSIDE_TIMEOUT",
  failureClass: "timeout",
  message: `${system} gave no complete answer within ${timeoutMs} ms.`,
  remedy: "The message is tried again; effects are asked for under the same key, so none happens twice.",
})) {}

/** An outside system said 429. */
export class OutsideRateLimitedError extends SutureError {
  /** Milliseconds to wait before asking again; at least 1. */
  readonly retryAfterMs: number;

  constructor(system: string, retryAfterMs: number) {
    super({
      code: "SUPPORT_OUTSIDE_RATE_LIMITED",
      failureClass: "rate_limited",
      message: `${system} limits our rate for the next ${retryAfterMs} ms.`,
      remedy: "The message waits by itself; if that is too long, lower the agent's concurrency.",
    });
    this.retryAfterMs = retryAfterMs;
  }
}

/** An outside system could not be reached, broke off, or answered with a server error or with no JSON of its kind. */
export class OutsideUnavailableError extends SutureError {
  /** HTTP status; null: there was none. */
  readonly status: number | null;

  constructor(
    system: string,
    { status, cause }: { readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super({
      code: "SUPPORT_OUTSIDE_UNAVAILABLE",
      failureClass: "transient",
      message: `${system} could not be reached or answered out of order${status === undefined ? "" : ` (status ${status})`}.`,
      remedy: "The message is tried again; look at that system's own status if it keeps happening.",
      cause,
    });
    this.status = status ?? null;
  }
}

/** Something that another try does not help. */
class LastingError extends SutureError {
  constructor(code: string, message: string, remedy: string) {
    super({ code, failureClass: "handler_error", severity: "fatal", message, remedy });
  }
}

/** An outside system will never take this request as it is. */
export class OutsideRefusedError extends LastingError {
  /** HTTP status. */
  readonly status: number;

  constructor(system: string, status: number) {
    super(
      "SUPPORT_OUTSIDE_REFUSED",
      `${system} refused the request with status ${status}.`,
      "Compare what this team sends with that system's interface; another try will not help.",
    );
    this.status = status;
  }
}

/** The mail server will not take a letter. Its words may hold the customer's address, so only the code is told. */
export class MailRefusedError extends LastingError {
  constructor(status: number) {
    super(
      "SUPPORT_MAIL_REFUSED",
      `The mail server refused the answer with code ${status}.`,
      "Look the code up in the mail server's log: a wrong password, a sender it does not know, a dead mailbox.",
    );
  }
}

/** The connection broke while a letter was sent: it may have arrived. */
export class MailUncertainError extends LastingError {
  constructor(messageId: string) {
    super(
      "SUPPORT_MAIL_UNCERTAIN",
      `It is not known whether the answer ${messageId} was sent.`,
      "Look for that Message-ID in the mail server's log; release the message only if it is not there.",
    );
  }
}

/** The drafted answer leaves out a fact that it must hold verbatim. */
export class ReplyIncompleteError extends defineError((missingLabels: readonly string[]) => ({
  code: "SUPPORT_REPLY_INCOMPLETE",
  failureClass: "content_error",
  message: `The drafted answer does not hold: ${missingLabels.join(", ")}.`,
  remedy: "Complete the draft in the case, or change the reply prompt if it keeps happening.",
})) {}

/** The drafted answer says what was not done. */
export class ReplyUnfoundedError extends defineError((claims: readonly string[]) => ({
  code: "SUPPORT_REPLY_UNFOUNDED",
  failureClass: "content_error",
  message: `The drafted answer states ${claims.join(", ")}.`,
  remedy: "Correct the draft in the case, or change the reply prompt if it keeps happening.",
})) {}
