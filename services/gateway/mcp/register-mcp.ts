import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { READERS } from "#shared/api";
import { readJsonOnly } from "#shared/http";
import { serveMcpRequest } from "#shared/mcp/serve";
import type { Gateway } from "../gateway.ts";
import { callOf } from "../guards/register-routes.ts";
import { openTeams } from "./open-teams.ts";
import { takeWaitingPlace } from "../guards/take-place.ts";

/** Address of the server of the Model Context Protocol. */
export const MCP_PATH = "/mcp";

/** Serves every team as a tool over Streamable HTTP. Each request counts as one that waits while it is open. */
export function registerMcp(app: FastifyInstance, gateway: Gateway): void {
  void app.register(async (scope) => {
    readJsonOnly(scope, gateway.bounds.bodyBytesMax);
    scope.post(MCP_PATH, { config: { scopes: READERS } }, async (request, reply) => {
      const call = callOf(gateway, request, reply);
      const leave = takeWaitingPlace(gateway, call.caller);
      // Not the call's signal: a gateway that stops is no client that cancels.
      const gone = new AbortController();
      reply.raw.once("close", () => {
        leave();
        gone.abort();
      });
      const response = await serveMcpRequest(openTeams(call), toWeb(request, gone.signal), {
        body: request.body,
        heartbeatEveryMs: gateway.bounds.heartbeatEveryMs,
      });
      return send(reply, response);
    });
  });
}

function toWeb(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string" && name !== "authorization" && name !== "content-length")
      headers.set(name, value);
  }
  const body = JSON.stringify(request.body ?? null);
  return new Request(`http://gateway${MCP_PATH}`, { method: "POST", headers, body, signal });
}

function send(reply: FastifyReply, response: Response): FastifyReply {
  void reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== "cache-control") void reply.header(name, value);
  if (response.body === null) return reply.send();
  return reply.send(Readable.fromWeb(response.body));
}
