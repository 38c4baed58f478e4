import { SutureError } from "#shared/errors";

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
export function describeError(error: Error, causes = 0): Record<string, unknown> {
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
