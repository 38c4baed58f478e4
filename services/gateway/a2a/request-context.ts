import { A2A_VERSION_HEADER, HTTP_EXTENSION_HEADER } from "@a2a-js/sdk";
import { defaultServerCallContextBuilder } from "@a2a-js/sdk/server";
import type { ServerCallContext } from "@a2a-js/sdk/server";
import type { FastifyRequest } from "fastify";

/** Returns the SDK's context of a request. Caller and tenant are those of the key, not what the request says. */
export function contextOf({ headers }: FastifyRequest): ServerCallContext {
  const version = headers[A2A_VERSION_HEADER.toLowerCase()];
  const wanted = headers[HTTP_EXTENSION_HEADER.toLowerCase()];
  return defaultServerCallContextBuilder({
    extensions: typeof wanted === "string" ? wanted.split(",").map((uri) => uri.trim()) : undefined,
    user: undefined,
    headers: {},
    ...(typeof version === "string" ? { requestedVersion: version } : {}),
  });
}
