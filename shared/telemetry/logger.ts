import { isSpanContextValid, trace } from "@opentelemetry/api";
import { pino, stdTimeFunctions } from "pino";
import type { DestinationStream, Logger as PinoLogger } from "pino";
import { describeForLog } from "./describe-for-log.ts";

/** One line of JSON for each call. Give ids as `run_id`, `message_id`, `agent`, `case_id`; an error as `err`. */
export type Logger = PinoLogger;

export interface LoggerOptions {
  /** Process or room that speaks, e.g. `gateway`. */
  readonly service: string;
  readonly level: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

/**
 * Makes the logger of a process. Each line has `trace_id` and `span_id` of the active span, if there is one and the
 * call gives none. Secrets and payloads are hidden by the names of their keys, at any depth; texts given as the
 * message are not looked into, so say what happened there and give what it happened to as fields.
 */
export function createLogger({ service, level, destination }: LoggerOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    mixin: activeIds,
    mixinMergeStrategy: (call: object, ids: object) => ({ ...ids, ...call }),
    formatters: { level: (label) => ({ level: label }), log: describeFields },
    // `describeFields` has described errors already. Fastify logs its requests and replies under `req` and `res`.
    serializers: { err: (error: unknown) => error, req: describeRequest, res: describeReply },
    hooks: { logMethod: withPlainMessage },
  };
  const logger = destination === undefined ? pino(options) : pino(options, destination);
  return hideInChildren(logger);
}

function describeFields(fields: Record<string, unknown>): Record<string, unknown> {
  const { req, res, ...others } = fields;
  return {
    ...describeForLog(others),
    ...(req === undefined ? {} : { req }),
    ...(res === undefined ? {} : { res }),
  };
}

/** pino would take the text of an error for a missing message, and a foreign text may hold payload. */
function withPlainMessage(this: Logger, args: Parameters<pino.LogFn>, method: pino.LogFn): void {
  // What callers may give: an object or error, then a text, then values for its placeholders.
  const [first, message, ...rest] = args as [unknown, string | undefined, ...unknown[]];
  const error = errorIn(first);
  if (error === null) method.apply(this, args);
  else method.apply(this, [error.fields, message ?? error.name, ...rest]);
}

/** An error given alone or as `err`, which may throw when it is asked what it is. */
function errorIn(first: unknown): { readonly fields: unknown; readonly name: string } | null {
  try {
    if (first instanceof Error) return { fields: { err: first }, name: toText(first.name) };
    return isErrorField(first) ? { fields: first, name: toText(first.err.name) } : null;
  } catch {
    return { fields: { err: "[unreadable]" }, name: "an error that cannot be read" };
  }
}

/** A name is typed as text, and may be anything in an error that was made elsewhere. May throw. */
function toText(name: unknown): string {
  return String(name);
}

function isErrorField(value: unknown): value is { readonly err: Error } {
  return typeof value === "object" && value !== null && "err" in value && value.err instanceof Error;
}

/** pino formats the fields of a call, and not those of a child. */
function hideInChildren(logger: Logger): Logger {
  const base = Object.getPrototypeOf(logger) as Pick<Logger, "child">; // pino keeps its methods in the prototype.
  // Children inherit this function; `this` is the logger that it is called on, as in pino's own.
  function createHidingChild(this: Logger, bindings: pino.Bindings, options?: object): object {
    return base.child.call(this, describeForLog(bindings), options);
  }
  Object.assign(logger, { child: createHidingChild });
  return logger;
}

function describeRequest(request: {
  readonly id?: unknown;
  readonly method?: string;
  readonly url?: string;
}): object {
  // The query may hold a login token.
  return { id: request.id, method: request.method, path: request.url?.split("?")[0]?.slice(0, 300) };
}

function describeReply(reply: { readonly statusCode?: number }): object {
  return { status: reply.statusCode };
}

function activeIds(): object {
  const span = trace.getActiveSpan()?.spanContext();
  return span !== undefined && isSpanContextValid(span)
    ? { trace_id: span.traceId, span_id: span.spanId }
    : {};
}
