import { SutureError } from "#shared/errors";
import type { Issue, SutureErrorInit } from "#shared/errors";

type RefusalInit = Pick<SutureErrorInit, "code" | "message" | "remedy"> & {
  /** HTTP status of the answer. */
  readonly status: number;
  readonly issues?: readonly Issue[];
  /** Response headers that belong to the refusal. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** A request is refused. What HTTP needs to say so is in `status` and `headers`; nothing was changed. */
export class RequestRefusedError extends SutureError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(init: RefusalInit) {
    super({
      code: init.code,
      failureClass:
        init.status >= 500 ? "transient" : init.status === 429 ? "rate_limited" : "validation_error",
      message: init.message,
      remedy: init.remedy,
      issues: init.issues ?? [],
    });
    this.status = init.status;
    this.headers = init.headers ?? {};
  }
}

/** A part of the request is not what the operation takes. `issues` has a JSON pointer for every fault. */
export class RequestInvalidError extends RequestRefusedError {
  constructor(issues: readonly Issue[]) {
    super({
      code: "REQUEST_INVALID",
      status: 422,
      message: `The request is not valid at ${issues.map((issue) => issue.path || "/").join(", ")}.`,
      remedy: "Correct the fields that `errors` names; /docs shows what each operation takes.",
      issues,
    });
  }
}

/** The body is not UTF-8. */
export class InvalidUtf8Error extends RequestRefusedError {
  constructor() {
    super({
      code: "INVALID_UTF8",
      status: 400,
      message: "The body is not valid UTF-8.",
      remedy: "Send JSON text in UTF-8, without a byte order mark.",
    });
  }
}

/** The body comes in a form that is not read here. */
export class UnsupportedMediaError extends RequestRefusedError {
  constructor(problem: string) {
    super({
      code: "UNSUPPORTED_MEDIA_TYPE",
      status: 415,
      message: `The body cannot be read: ${problem}.`,
      remedy: "Send application/json in UTF-8, not compressed.",
      headers: { accept: "application/json", "accept-encoding": "identity" },
    });
  }
}

export class BodyTooLargeError extends RequestRefusedError {
  constructor(bytesMax: number) {
    super({
      code: "BODY_TOO_LARGE",
      status: 413,
      message: `The body has more than ${bytesMax} bytes.`,
      remedy: "Store large content with POST /v1/blobs and send a file reference to it.",
    });
  }
}

export class UnauthorisedError extends RequestRefusedError {
  constructor() {
    super({
      code: "UNAUTHORISED",
      status: 401,
      message: "The request has no valid API key.",
      remedy: "Send the header Authorization: Bearer <secret> with the secret of one of the configured keys.",
      headers: { "www-authenticate": 'Bearer realm="suture"' },
    });
  }
}

export class ForbiddenError extends RequestRefusedError {
  constructor(scope: string, needed: readonly string[]) {
    super({
      code: "FORBIDDEN",
      status: 403,
      message: `The scope ${scope} does not allow this operation.`,
      remedy: `Use a key of scope ${needed.join(" or ")}.`,
    });
  }
}

export class RouteUnknownError extends RequestRefusedError {
  constructor() {
    super({
      code: "ROUTE_UNKNOWN",
      status: 404,
      message: "There is nothing at this address.",
      remedy: "See /docs for the operations there are.",
    });
  }
}

export class MethodNotAllowedError extends RequestRefusedError {
  constructor(allowed: readonly string[]) {
    super({
      code: "METHOD_NOT_ALLOWED",
      status: 405,
      message: "This address does not take this method.",
      remedy: `Use ${allowed.join(" or ")}.`,
      headers: { allow: allowed.join(", ") },
    });
  }
}

/** Something of that name is not there, or not any more. */
export class AbsentError extends RequestRefusedError {
  constructor(what: string, remedy = "Check the name, or list what there is.") {
    super({ code: "NOT_FOUND", status: 404, message: `There is no such ${what}.`, remedy });
  }
}

export class RateLimitedError extends RequestRefusedError {
  constructor(retryAfterMs: number) {
    super({
      code: "RATE_LIMITED",
      status: 429,
      message: "This API key sends requests faster than it may.",
      remedy: "Wait for the time that Retry-After names, and send more slowly.",
      headers: retryAfter(retryAfterMs),
    });
  }
}

/** Too many requests are waiting for runs already. */
export class TooManyWaitersError extends RequestRefusedError {
  constructor() {
    super({
      code: "TOO_MANY_WAITERS",
      status: 429,
      message: "Too many requests are waiting for runs.",
      remedy: "End other event streams and long polls of this key, or ask without waiting.",
      headers: retryAfter(5000),
    });
  }
}

/** Too much waits already; more would only wait longer. */
export class FullError extends RequestRefusedError {
  constructor(where: "queues" | "ward") {
    super({
      code: where === "ward" ? "WARD_FULL" : "QUEUES_FULL",
      status: 429,
      message: `The ${where === "ward" ? "ward is" : "queues are"} full; the task was not accepted.`,
      remedy: "Repeat later with the same Idempotency-Key.",
      headers: retryAfter(10_000),
    });
  }
}

/** Redis did not answer in time: the task may have been accepted or not. */
export class AcceptanceUnknownError extends RequestRefusedError {
  constructor() {
    super({
      code: "ACCEPTANCE_UNKNOWN",
      status: 503,
      message: "It is unknown whether the task was accepted.",
      remedy: "Repeat with the same Idempotency-Key: that accepts the task once, whatever happened now.",
      headers: retryAfter(2000),
    });
  }
}

/** Redis is away; nothing was asked of it. */
export class UnavailableError extends RequestRefusedError {
  constructor() {
    super({
      code: "UNAVAILABLE",
      status: 503,
      message: "The store is out of reach or this gateway is stopping; nothing was changed.",
      remedy: "Repeat later with the same Idempotency-Key.",
      headers: retryAfter(2000),
    });
  }
}

export class IdempotencyConflictError extends RequestRefusedError {
  constructor() {
    super({
      code: "IDEMPOTENCY_CONFLICT",
      status: 422,
      message: "This Idempotency-Key was used for another request.",
      remedy: "Use a new key for a new request; repeat a request with exactly the same body.",
    });
  }
}

/** A recorded message cannot be shown to be what its receiver verified, so it is not signed again. */
export class NotVerifiableError extends RequestRefusedError {
  constructor() {
    super({
      code: "MESSAGE_NOT_VERIFIABLE",
      status: 409,
      message: "The recorded message cannot be verified any more, or never was.",
      remedy: "Replay the run's first message, or send the payload anew.",
    });
  }
}

/** The process was started without a Redis to use. */
export class RedisUnsetError extends SutureError {
  constructor() {
    super({
      code: "GATEWAY_REDIS_UNSET",
      failureClass: "handler_error",
      severity: "fatal",
      message: "REDIS_URL is not set, and this service starts no Redis of its own.",
      remedy: "Start it with `npx suture gateway`, which finds or starts one, or set REDIS_URL.",
    });
  }
}

/** `Retry-After` in whole seconds, at least 1. */
function retryAfter(delayMs: number): Record<string, string> {
  return { "retry-after": String(Math.max(1, Math.ceil(delayMs / 1000))) };
}
