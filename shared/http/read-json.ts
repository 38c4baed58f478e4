import type { FastifyInstance, FastifyRequest } from "fastify";
import type { EnvelopeLimits } from "#shared/envelope";
import { parseOutside } from "#shared/envelope/json";
import {
  HeaderRepeatedError,
  InvalidUtf8Error,
  RequestInvalidError,
  UnsupportedMediaError,
} from "./errors.ts";

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)"?/i;

/** Keeps a byte order mark, which JSON does not allow, and refuses what is not UTF-8 rather than replace it. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads JSON bodies alone, within bounds. @param bodyBytesMax - Inclusive. @param limits - Unlike an envelope's. */
export function readJsonOnly(
  app: FastifyInstance,
  bodyBytesMax: number,
  limits: Partial<EnvelopeLimits> = {},
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: bodyBytesMax },
    readJson({ ...limits, envelopeBytesMax: bodyBytesMax }),
  );
}

function readJson(limits: Partial<EnvelopeLimits>) {
  return (
    request: FastifyRequest,
    body: string | Buffer,
    done: (error: Error | null, value?: unknown) => void,
  ): void => {
    try {
      requireUtf8Charset(request.headers["content-type"]);
      // An operation that takes no body may be sent an empty one; one that does says what is missing.
      done(null, body.length === 0 ? undefined : parseOutside(decode(body), limits));
    } catch (error) {
      // All that is thrown here are our own Errors; `done` takes nothing else.
      done(error as Error);
    }
  };
}

function requireUtf8Charset(contentType: string | undefined): void {
  const charset = CHARSET.exec(contentType ?? "")?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8") {
    throw new UnsupportedMediaError("its charset is not UTF-8");
  }
}

function decode(body: string | Buffer): string {
  if (typeof body === "string") return body;
  try {
    return decoder.decode(body);
  } catch {
    throw new InvalidUtf8Error();
  }
}

/** Compressed bodies are refused unread: a kilobyte can unpack to a gigabyte. @throws {UnsupportedMediaError} */
function refuseCompressed(request: FastifyRequest): void {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity") {
    throw new UnsupportedMediaError("it is compressed");
  }
}

/** Headers of which two values would make two readers see two requests. Node checks length and encoding itself. */
const SINGLE: ReadonlySet<string> = new Set([
  "authorization",
  "content-encoding",
  "content-type",
  "host",
  "idempotency-key",
  "last-event-id",
  "origin",
]);

const NAME_CHARS_MAX = 64;

/** Refuses ambiguity. @throws {HeaderRepeatedError | RequestInvalidError | UnsupportedMediaError} */
export function checkForm(request: FastifyRequest): void {
  refuseRepeatedHeaders(request);
  refuseBrokenQuery(request.url);
  refuseCompressed(request);
}

function refuseRepeatedHeaders(request: FastifyRequest): void {
  const { rawHeaders } = request.raw;
  const seen = new Set<string>();
  // Names and values in turn.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? "";
    if (SINGLE.has(name) && seen.has(name)) throw new HeaderRepeatedError(name);
    seen.add(name);
  }
}

/** Escapes that are not UTF-8, lone surrogates among them, would be replaced or left as they are by each reader. */
function refuseBrokenQuery(url: string): void {
  const start = url.indexOf("?");
  if (start === -1 || !url.includes("%", start)) return;
  for (const part of url.slice(start + 1).split("&")) {
    if (decodeEscapes(part) !== undefined) continue;
    const name = decodeEscapes(part.split("=", 1)[0] ?? "");
    const path = name === undefined ? "/query" : `/query/${name.slice(0, NAME_CHARS_MAX)}`;
    throw new RequestInvalidError([{ path, code: "invalid_encoding", message: "not percent-encoded UTF-8" }]);
  }
}

function decodeEscapes(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
