import type { A2AError } from "@a2a-js/sdk/errors";
import {
  RemoteAgentProtocolError,
  RemoteAgentRateLimitedError,
  RemoteAgentUnavailableError,
} from "./errors.ts";
import { retryAfterMs } from "./guarded-fetch.ts";

/** Packages of the gRPC binding, which whoever uses it installs. */
export const GRPC_PACKAGES = ["@grpc/grpc-js", "@bufbuild/protobuf"];

/** gRPC's status codes that say something of the channel, and not of the protocol. */
const CODE = { exhausted: 8, denied: 7, unavailable: 14, unauthenticated: 16 } as const;

/** Returns what an error of a gRPC call is for the message that waits for it. */
export function errorOfGrpc(id: string, error: A2AError): Error {
  const code = "status" in error ? error.status : undefined;
  if (code === CODE.unavailable)
    return new RemoteAgentUnavailableError(id, "could not be reached (UNAVAILABLE)");
  if (code === CODE.exhausted) return new RemoteAgentRateLimitedError(id, retryAfterMs(retryAfterOf(error)));
  if (code === CODE.denied || code === CODE.unauthenticated)
    return new RemoteAgentProtocolError(id, `refuses our key (gRPC status ${code})`);
  return new RemoteAgentProtocolError(id, `answers with gRPC status ${Number(code)}`);
}

function retryAfterOf({ cause }: A2AError): string | undefined {
  if (!(cause instanceof Error) || !("metadata" in cause)) return undefined;
  const { metadata } = cause as { metadata?: { get(name: string): unknown[] } };
  return metadata?.get("retry-after").join();
}
