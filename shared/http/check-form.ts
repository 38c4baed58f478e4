import type { FastifyRequest } from "fastify";
import { HeaderRepeatedError, RequestInvalidError } from "./errors.ts";
import { refuseCompressed } from "./read-json.ts";

/**
 * Headers of which a second value would make two readers see two requests: Node and proxies differ in which of them
 * they take. Content-Length and Transfer-Encoding are checked by Node.
 */
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

/**
 * Refuses requests that readers could understand differently: headers given twice, a query that is not UTF-8, a
 * compressed body.
 *
 * @throws {HeaderRepeatedError | RequestInvalidError | UnsupportedMediaError}
 */
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
    if (decode(part) !== undefined) continue;
    const name = decode(part.split("=", 1)[0] ?? "");
    const path = name === undefined ? "/query" : `/query/${name.slice(0, NAME_CHARS_MAX)}`;
    throw new RequestInvalidError([{ path, code: "invalid_encoding", message: "not percent-encoded UTF-8" }]);
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
