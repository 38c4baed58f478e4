import type { FastifyRequest } from "fastify";
import { HeaderRepeatedError } from "./errors.ts";

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

/** Refuses a request that gives one of these headers more than once. @throws {HeaderRepeatedError} */
export function refuseRepeatedHeaders(request: FastifyRequest): void {
  const { rawHeaders } = request.raw;
  const seen = new Set<string>();
  // Names and values in turn.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? "";
    if (SINGLE.has(name) && seen.has(name)) throw new HeaderRepeatedError(name);
    seen.add(name);
  }
}
