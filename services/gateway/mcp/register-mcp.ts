import type { FastifyInstance } from "fastify";
import { READERS } from "#shared/api";
import { readJsonOnly } from "#shared/http";
import { answerMcp } from "#shared/mcp/serve";
import type { Gateway } from "../gateway.ts";
import { callOf } from "../guards/register-routes.ts";
import { takeWaitingPlace } from "../guards/guard-requests.ts";

/** Address of the server of the Model Context Protocol. */
const MCP_PATH = "/mcp";

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
      const { createTeamServer } = await import("./team-server.ts");
      return answerMcp(
        { request, reply },
        // Since 2026 a client cancels by ending the request; before, that meant nothing.
        ({ era }) => createTeamServer(call, era === "modern"),
        { signal: gone.signal, keepAliveMs: gateway.bounds.heartbeatEveryMs },
      );
    });
  });
}
