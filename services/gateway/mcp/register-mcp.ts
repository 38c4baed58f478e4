import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { READERS } from "#shared/api";
import { readJsonOnly } from "#shared/http";
import type { Gateway } from "../gateway.ts";
import { callOf } from "../guards/register-routes.ts";
import { takeWaitingPlace } from "../guards/guard-requests.ts";

/** Address of the server of the Model Context Protocol. */
export const MCP_PATH = "/mcp";

/** Serves every team as a tool over Streamable HTTP, without sessions. An open request counts as one that waits. */
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
      // Loaded at the first request: few gateways are asked.
      const [{ createMcpHandler }, { createTeamServer }] = await Promise.all([
        import("@modelcontextprotocol/server"),
        import("./team-server.ts"),
      ]);
      const handler = createMcpHandler(
        // Since 2026 a client cancels by ending the request; before, that meant nothing.
        ({ era }) => createTeamServer(call, era === "modern"),
        { keepAliveMs: gateway.bounds.heartbeatEveryMs },
      );
      return send(reply, await handler.fetch(toWeb(request, gone.signal), { parsedBody: request.body }));
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
