import type { FastifyRequest } from "fastify";
import { CrossOriginError } from "../../errors.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Lets changes through only from the console's own page, or from a client that is no browser and shows a key.
 *
 * @param isBySession - The browser adds the session by itself, so that its request must say where it comes from.
 * @throws {CrossOriginError}
 */
export function checkOrigin(request: FastifyRequest, isBySession: boolean): void {
  if (SAFE_METHODS.has(request.method)) return;
  const { origin, host } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") throw new CrossOriginError();
  if (origin === undefined && !isBySession) return;
  if (origin === undefined || host === undefined || hostOf(origin) !== host.toLowerCase())
    throw new CrossOriginError();
}

/** A proxy in front may have taken the TLS away, so that schemes may differ where hosts may not. */
function hostOf(origin: string): string | null {
  return /^https?:\/\/([^/\s]+)$/i.exec(origin)?.[1]?.toLowerCase() ?? null;
}
