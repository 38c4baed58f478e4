import { defineError, SutureError } from "#shared/errors";
import type { Issue, SutureErrorInit } from "#shared/errors";

export type RefusalInit = Pick<SutureErrorInit, "code" | "message" | "remedy"> & {
  /** HTTP status of the answer. */
  readonly status: number;
  readonly issues?: readonly Issue[];
  /** Time until another try makes sense; sent as `Retry-After`, in seconds and at least 1. Default: not said. */
  readonly retryAfterMs?: number;
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
      failureClass: classOf(init.status),
      message: init.message,
      remedy: init.remedy,
      issues: init.issues ?? [],
    });
    this.status = init.status;
    this.headers = { ...retryAfter(init.retryAfterMs), ...init.headers };
  }
}

/** Returns the base of the class of a refusal without fields, as `defineError` does. */
export function defineRefusal<Given extends readonly unknown[] = []>(
  says: RefusalInit | ((...given: Given) => RefusalInit),
): new (...given: Given) => RequestRefusedError {
  return class extends RequestRefusedError {
    constructor(...given: Given) {
      super(typeof says === "function" ? says(...given) : says);
    }
  };
}

/** A part of the request is not what the operation takes. `issues` has a JSON pointer for every fault. */
export class RequestInvalidError extends defineRefusal((issues: readonly Issue[]) => ({
  code: "REQUEST_INVALID",
  status: 422,
  message: `The request is not valid at ${issues
    .slice(0, 10)
    .map((issue) => issue.path || "/")
    .join(", ")}.`,
  remedy: "Correct the fields that `errors` names.",
  issues,
})) {}

/** A key or its tenant has its share of the connections. */
export class TooManyConnectionsError extends defineRefusal({
  code: "TOO_MANY_CONNECTIONS",
  status: 429,
  message: "Too many connections are open with this key or its tenant.",
  remedy: "Send requests on connections that are open, one after another, or close those not in use.",
  retryAfterMs: 1000,
  headers: { connection: "close" },
}) {}

/** A header that must be given once comes several times. */
export class HeaderRepeatedError extends defineRefusal((name: string) => ({
  code: "HEADER_REPEATED",
  status: 400,
  message: `The header ${name} is given more than once.`,
  remedy: "Send it once.",
  issues: [{ path: `/headers/${name}`, code: "repeated", message: "given more than once" }],
})) {}

/** The body is not UTF-8. */
export class InvalidUtf8Error extends defineRefusal({
  code: "INVALID_UTF8",
  status: 400,
  message: "The body is not valid UTF-8.",
  remedy: "Send JSON text in UTF-8, without a byte order mark.",
}) {}

/** The body comes in a form that is not read here. */
export class UnsupportedMediaError extends defineRefusal((problem: string) => ({
  code: "UNSUPPORTED_MEDIA_TYPE",
  status: 415,
  message: `The body cannot be read: ${problem}.`,
  remedy: "Send application/json in UTF-8, not compressed.",
  headers: { accept: "application/json", "accept-encoding": "identity" },
})) {}

export class UnauthorisedError extends defineRefusal(
  (
    remedy: string = "Send the header Authorization: Bearer <secret> with the secret of one of the configured keys.",
  ) => ({
    code: "UNAUTHORISED",
    status: 401,
    message: "The request does not say who sends it, or in a way that is not, or no longer, valid.",
    remedy,
    headers: { "www-authenticate": 'Bearer realm="suture"' },
  }),
) {}

/** The key was ours once: told only to whoever holds its secret. */
export class KeyExpiredError extends defineRefusal({
  code: "KEY_EXPIRED",
  status: 401,
  message: "The API key has expired.",
  remedy: "Ask an admin for a new one.",
  headers: { "www-authenticate": 'Bearer realm="suture", error="invalid_token"' },
}) {}

export class ForbiddenError extends RequestRefusedError {
  /** Name of the key or session whose scope it is. */
  readonly by: string;

  constructor(scope: string, needed: readonly string[], by: string) {
    super({
      code: "FORBIDDEN",
      status: 403,
      message: `The scope ${scope} does not allow this operation.`,
      remedy: `Use a key of scope ${needed.join(" or ")}.`,
    });
    this.by = by;
  }
}

export class RouteUnknownError extends defineRefusal({
  code: "ROUTE_UNKNOWN",
  status: 404,
  message: "There is nothing at this address.",
  remedy: "See the documentation for the operations there are.",
}) {}

/** A route does not say who may call it. The author's bug, found at start. */
export class RouteUnguardedError extends defineError((routes: readonly string[]) => ({
  code: "ROUTE_UNGUARDED",
  failureClass: "handler_error",
  severity: "fatal",
  message: `The server cannot start: ${routes.join(", ")} does not declare who may call it.`,
  remedy: "Declare its scopes or its role; null where anyone may call it.",
})) {}

export class MethodNotAllowedError extends defineRefusal((allowed: readonly string[]) => ({
  code: "METHOD_NOT_ALLOWED",
  status: 405,
  message: "This address does not take this method.",
  remedy: `Use ${allowed.join(" or ")}.`,
  headers: { allow: allowed.join(", ") },
})) {}

/** Something of that name is not there, or not any more. */
export class AbsentError extends defineRefusal(
  (what: string, remedy: string = "Check the name, or list what there is.") => ({
    code: "NOT_FOUND",
    status: 404,
    message: `There is no such ${what}.`,
    remedy,
  }),
) {}

export class RateLimitedError extends defineRefusal((retryAfterMs: number) => ({
  code: "RATE_LIMITED",
  status: 429,
  message: "Requests come faster than they may.",
  remedy: "Wait for the time that Retry-After names, and send more slowly.",
  retryAfterMs,
})) {}

function retryAfter(delayMs: number | undefined): Record<string, string> {
  return delayMs === undefined ? {} : { "retry-after": String(Math.max(1, Math.ceil(delayMs / 1000))) };
}

function classOf(status: number): "transient" | "rate_limited" | "validation_error" {
  if (status >= 500) return "transient";
  return status === 429 ? "rate_limited" : "validation_error";
}

/** A port that a service needs is in use. */
export class PortTakenError extends defineError(
  (taken: { readonly service: string; readonly port: number; readonly variable: string }) => ({
    code: "PORT_TAKEN",
    failureClass: "handler_error",
    severity: "fatal",
    message: `Port ${taken.port}, which the ${taken.service} should use, is taken by another program.`,
    remedy: `Stop that program, or set ${taken.variable} to another port; 0 takes any free one.`,
  }),
) {}

/** Returns a rejection's handler that tells a taken port by `PortTakenError`, and throws all else as it came. */
export function tellTakenPort(
  taken: ConstructorParameters<typeof PortTakenError>[0],
): (error: unknown) => never {
  return (error) => {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    throw isTaken ? new PortTakenError(taken) : error;
  };
}
