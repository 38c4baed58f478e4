import { isSpanContextValid, trace } from "@opentelemetry/api";
import { pino, stdTimeFunctions } from "pino";
import type { DestinationStream, Logger as PinoLogger } from "pino";
import { SutureError } from "#shared/errors";

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
 * Makes the logger of a process. Lines have the active span's `trace_id` and `span_id`. Secrets and payloads are hidden
 * by the names of their keys, not in messages: say what happened there, and to what as fields.
 */
export function createLogger({ service, level, destination }: LoggerOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    mixin: activeIds,
    mixinMergeStrategy: (call: object, ids: object) => ({ ...ids, ...call }),
    formatters: { level: (label) => ({ level: label }), log: describeForLog },
    // `describeForLog` has described errors already.
    serializers: { err: (error: unknown) => error },
    hooks: { logMethod: withPlainMessage },
  };
  const logger = destination === undefined ? pino(options) : pino(options, destination);
  return hideInChildren(logger);
}

/** pino would take the text of an error for a missing message, and a foreign text may hold payload. */
function withPlainMessage(this: Logger, args: Parameters<pino.LogFn>, method: pino.LogFn): void {
  // Callers may give an object or error, then a text, then values for its placeholders.
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

function activeIds(): object {
  const span = trace.getActiveSpan()?.spanContext();
  return span !== undefined && isSpanContextValid(span)
    ? { trace_id: span.traceId, span_id: span.spanId }
    : {};
}

/** Keys whose values never reach a log, whatever object they are in: secrets, and what customers or models wrote. */
const HIDDEN = new Set(
  [
    "apikey,api_key,openai_api_key,authorization,cookie,set-cookie,x-api-key,password,passwd,secret,token,access_token,signature",
    "private_key,privatekey,credentials,payload,data_payload,original_query,input,output,prompt,messages,answer,body,result,raw,text",
    "request_headers,headers,email",
  ].flatMap((line) => line.split(",")),
);

const HIDDEN_VALUE = "[hidden]";
const DEPTH_MAX = 5;
const ENTRIES_MAX = 50;
const TEXT_LENGTH_MAX = 2000;
const FOREIGN_MESSAGE_LENGTH_MAX = 300;
const CAUSES_MAX = 3;
const URL_LOGIN = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@]{1,500}@/gi;

const UNREADABLE = "[unreadable]";

/**
 * A copy of a log object that is safe to write: hidden keys and logins in URLs masked; long texts, deep and large
 * objects and cycles cut; errors reduced to what helps; `[unreadable]` for what throws when it is read. Never throws.
 */
export function describeForLog(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  try {
    return describeEntries(value, 0);
  } catch {
    return { fields: UNREADABLE };
  }
}

function describeEntries(value: object, depth: number): Record<string, unknown> {
  const described: Record<string, unknown> = {};
  for (const key of Object.keys(value).slice(0, ENTRIES_MAX)) {
    // Read one by one: a getter that throws costs its own field only.
    described[key] = describeValue(() => Reflect.get(value, key), depth + 1, HIDDEN.has(key.toLowerCase()));
  }
  return described;
}

function describeValue(read: () => unknown, depth: number, isHidden = false): unknown {
  try {
    const value = read();
    return isHidden && value !== null && value !== undefined ? HIDDEN_VALUE : describeRead(value, depth);
  } catch {
    return UNREADABLE;
  }
}

function describeRead(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cut(value.replaceAll(URL_LOGIN, "$1[hidden]@"), TEXT_LENGTH_MAX);
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  // JSON asks a function for its `toJSON`, and a proxy may answer anything.
  if (typeof value === "function") return "[function]";
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return describeError(value);
  // Depth bounds cycles too.
  if (depth > DEPTH_MAX) return "[cut]";
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value))
    return value.slice(0, ENTRIES_MAX).map((entry) => describeValue(() => entry, depth + 1));
  // A Secret, a Date: it knows how it wants to be written.
  if ("toJSON" in value && typeof value.toJSON === "function") return describeRead(value.toJSON(), depth + 1);
  return describeEntries(value, depth);
}

/**
 * Describes an error for the log. Messages of SutureErrors hold no payload by rule. Others are shortened, and those of
 * parsers left out, because they quote the text that they could not parse.
 */
function describeError(error: Error, causes = 0): Record<string, unknown> {
  const isOurs = error instanceof SutureError;
  const code = "code" in error && typeof error.code === "string" ? { code: cut(error.code, 100) } : {};
  const isQuoting = !isOurs && (error instanceof SyntaxError || error.name === "ZodError");
  const message = isQuoting
    ? HIDDEN_VALUE
    : cut(toText(error.message), isOurs ? TEXT_LENGTH_MAX : FOREIGN_MESSAGE_LENGTH_MAX);
  const frames = toText(error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line));
  return {
    type: cut(toText(error.name), 100),
    ...code,
    ...(isOurs ? { failure_class: toText(error.failureClass), remedy: toText(error.remedy) } : {}),
    message: message.replaceAll(URL_LOGIN, "$1[hidden]@"),
    stack: cut(frames.map((line) => line.trim()).join("\n"), TEXT_LENGTH_MAX),
    ...(error.cause instanceof Error && causes < CAUSES_MAX
      ? { cause: describeError(error.cause, causes + 1) }
      : {}),
  };
}

/** For fields that are typed as text, and of an error that was made elsewhere may be anything. May throw. */
function toText(value: unknown): string {
  return String(value);
}

function cut(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
}
