import { z } from "zod";
import { EnvelopeTooLargeError } from "#shared/envelope";
import { FAILURE_CLASSES, SutureError } from "#shared/errors";
import type { FailureClass } from "#shared/errors";
import { RequestRefusedError } from "./errors.ts";

/** RFC 9457, with `errors` for every fault of the request. */
export const problemSchema = z.object({
  type: z.string().meta({ description: "urn:suture:problem:<code>" }),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string().meta({ description: "Stable word; decide by it, not by texts." }),
  failure_class: z.enum(FAILURE_CLASSES).meta({ description: "What happened, in general." }),
  remedy: z.string().meta({ description: "What to do next." }),
  errors: z.array(
    z.object({
      pointer: z.string().meta({ description: "JSON pointer" }),
      code: z.string(),
      message: z.string(),
    }),
  ),
  trace_id: z.string().nullable(),
});

export type Problem = z.output<typeof problemSchema>;

export const PROBLEM_TYPE = "application/problem+json; charset=utf-8";

/** A problem with what HTTP needs beside it. */
export interface ProblemAnswer {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
}

/** Facts of a service about its problems. */
export interface ProblemFacts {
  /** For finding the request in logs and traces; null where there is none. */
  readonly traceId: string | null;
  /** Statuses of errors of other rooms by code, e.g. `{ NOT_FOUND: 404 }`. Default: their failure class decides. */
  readonly statusByCode?: Readonly<Record<string, number>>;
  /** Remedies by code, where this service knows better than the error. Default: the error's own. */
  readonly remedyByCode?: Readonly<Record<string, string>>;
}

/** Faults one answer names at most. */
const ISSUES_MAX = 50;

/** Characters of one text of an answer: what it says of a request may repeat names that the request has. */
const POINTER_CHARS_MAX = 256;
/** Of a name that the sender gave, in a pointer or quoted in a message. */
const NAME_CHARS_MAX = 64;
const MESSAGE_CHARS_MAX = 500;
const DETAIL_CHARS_MAX = 1000;

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad request",
  401: "Not known",
  403: "Not allowed",
  404: "Not found",
  405: "Method not allowed",
  408: "Request timed out",
  409: "Conflict",
  413: "Too large",
  414: "Address too long",
  415: "Unsupported media type",
  422: "Not valid",
  429: "Too many",
  431: "Headers too large",
  500: "Internal error",
  503: "Unavailable",
};

const STATUS_OF_CLASS: Readonly<Record<FailureClass, number>> = {
  parse_error: 400,
  validation_error: 422,
  content_error: 422,
  unsupported_version: 422,
  rate_limited: 429,
  transient: 503,
  unavailable: 503,
  timeout: 503,
  rejected: 500,
  handler_error: 500,
  crash_loop: 500,
  expired: 500,
  hop_limit: 500,
  loop_detected: 500,
  budget_exceeded: 500,
  cancelled: 500,
  untrusted: 500,
  unsafe: 500,
};

/** Statuses that the framework's own errors may carry to the outside; all else is our fault. */
const FRAMEWORK_STATUSES: ReadonlySet<number> = new Set([400, 403, 404, 405, 408, 413, 414, 415, 431, 503]);

/** Any error as the answer to a request. Foreign messages stay inside: they may quote what was sent. */
export function toProblem(error: unknown, facts: ProblemFacts): ProblemAnswer {
  const { traceId, statusByCode = {} } = facts;
  if (error instanceof SutureError) {
    const status = statusOf(error, statusByCode);
    if (status < 500 || status === 503)
      return { problem: ofSutureError(error, status, facts), headers: headersOf(error, status) };
  }
  const status = frameworkStatusOf(error);
  const code = (TITLES[status] ?? "internal_error").toLowerCase().replaceAll(" ", "_");
  const fault =
    status === 500
      ? {
          failureClass: "handler_error" as const,
          message: "The service could not handle the request; its log has the reason under the trace id.",
          remedy: "Give the trace id to whoever operates the service.",
        }
      : ({
          failureClass: status === 503 ? "transient" : "parse_error",
          message: "The request could not be read.",
          remedy: "Correct the request as the description of the API says.",
        } as const);
  return { problem: problemOf({ status, code, ...fault, errors: [], traceId }), headers: {} };
}

/** Puts a problem together; for what fails before there is a request, too. */
export function problemOf(parts: {
  readonly status: number;
  readonly code: string;
  readonly failureClass: FailureClass;
  readonly message: string;
  readonly remedy: string;
  readonly errors: Problem["errors"];
  readonly traceId: string | null;
}): Problem {
  const { status, code, failureClass, message, remedy, errors, traceId } = parts;
  return {
    type: `urn:suture:problem:${code}`,
    title: TITLES[status] ?? "Error",
    status,
    detail: `${message} ${remedy}`,
    code,
    failure_class: failureClass,
    remedy,
    errors,
    trace_id: traceId,
  };
}

function ofSutureError(error: SutureError, status: number, facts: ProblemFacts): Problem {
  const remedy = ownValue(facts.remedyByCode, error.code) ?? error.remedy;
  const errors = error.issues.slice(0, ISSUES_MAX).map((issue) => ({
    pointer: cut(
      issue.path
        .split("/")
        .map((step) => cut(step, NAME_CHARS_MAX))
        .join("/"),
      POINTER_CHARS_MAX,
    ),
    code: issue.code,
    message: cutNames(issue.message, MESSAGE_CHARS_MAX),
  }));
  return problemOf({
    status,
    code: error.code.toLowerCase(),
    failureClass: error.failureClass,
    // The remedy is ours and short; what is cut is what the message repeats of the request.
    message: cutNames(error.message, DETAIL_CHARS_MAX),
    remedy,
    errors,
    traceId: facts.traceId,
  });
}

/** Cuts what a message quotes, then the whole. */
function cutNames(text: string, charsMax: number): string {
  const short = text.replaceAll(/"[^"]*"|\S{65,}/g, (name) => cut(name, NAME_CHARS_MAX));
  return cut(short, charsMax);
}

function cut(text: string, charsMax: number): string {
  return text.length > charsMax ? `${text.slice(0, charsMax).toWellFormed()}…` : text;
}

function statusOf(error: SutureError, statusByCode: Readonly<Record<string, number>>): number {
  if (error instanceof RequestRefusedError) return error.status;
  if (error instanceof EnvelopeTooLargeError) return 413;
  return ownValue(statusByCode, error.code) ?? STATUS_OF_CLASS[error.failureClass];
}

/** Codes are words of other rooms: one that happens to name a member of every object finds nothing. */
function ownValue<Value>(
  table: Readonly<Record<string, Value>> | undefined,
  code: string,
): Value | undefined {
  return table !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
}

function headersOf(error: SutureError, status: number): Readonly<Record<string, string>> {
  if (error instanceof RequestRefusedError) return error.headers;
  return status === 503 ? { "retry-after": "2" } : {};
}

function frameworkStatusOf(error: unknown): number {
  if (!(error instanceof Error) || !("statusCode" in error)) return 500;
  // Fastify's own errors carry their status in this field; the set says which of them are true of the request.
  const status = typeof error.statusCode === "number" ? error.statusCode : 500;
  return FRAMEWORK_STATUSES.has(status) ? status : 500;
}
