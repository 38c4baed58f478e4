import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiScope } from "#shared/config";
import type { TeamCall } from "./team-call.ts";

/** One request of the HTTP+JSON binding. */
export interface RestCall {
  readonly call: TeamCall;
  readonly handler: A2ARequestHandler;
  readonly context: ServerCallContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Adds one operation of the binding. Its answer is the body, or the reply that was sent. */
export type AddRoute = (
  method: "GET" | "POST" | "DELETE",
  path: string,
  operation: { readonly scopes: readonly ApiScope[]; readonly work: (call: RestCall) => Promise<unknown> },
) => void;
