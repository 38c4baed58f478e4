import { AGENT_CARD_PATH, AgentCard } from "@a2a-js/sdk";
import { A2AError } from "@a2a-js/sdk/errors";
import { JsonRpcTransportHandler, validateVersion } from "@a2a-js/sdk/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { READERS } from "#shared/api";
import { readJsonOnly } from "#shared/http";
import { streamEvents, toEvents } from "#shared/http/server";
import { isRecord } from "#shared/json";
import type { Gateway } from "../gateway.ts";
import { callOf } from "../guards/register-routes.ts";
import { requireScope } from "../tenancy/may-see.ts";
import { A2A_BASE, describeTeam } from "./agent-card.ts";
import { contextOf, openTeam, originOf, SCOPES } from "./team-call.ts";
import type { TeamCall } from "./team-call.ts";
import { createRequestHandler } from "./request-handler.ts";

const TEAM = `${A2A_BASE}/:team`;

/** Serves every team as an A2A agent: its card, and JSON-RPC at `/a2a/<team>`. */
export function registerA2a(app: FastifyInstance, gateway: Gateway): void {
  void app.register(async (scope) => {
    readJsonOnly(scope, gateway.bounds.bodyBytesMax);
    const open = (request: FastifyRequest, reply: FastifyReply): TeamCall =>
      openCall(gateway, request, reply);
    scope.get(`${TEAM}/${AGENT_CARD_PATH}`, { config: { scopes: READERS } }, async (request, reply) => {
      const { team, origin } = open(request, reply);
      return reply.send(AgentCard.toJSON(describeTeam(team, origin, gateway.a2aGrpcPort)));
    });
    scope.post(TEAM, { config: { scopes: READERS } }, async (request, reply) =>
      answerRpc(open(request, reply), request, reply),
    );
  });
}

function openCall(gateway: Gateway, request: FastifyRequest, reply: FastifyReply): TeamCall {
  const call = callOf(gateway, request, reply);
  // Every route of the protocol has this parameter.
  const { team } = request.params as { team: string };
  return openTeam({ ...call, origin: gateway.gatewayPublicUrl ?? originOf(request) }, team);
}

/** One address for all methods, so that the scope of a method is checked here and not at the route. */
async function answerRpc(
  call: TeamCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = isRecord(request.body) ? request.body : {};
  const { id = null, method } = body;
  requireScope(call.caller, SCOPES.get(method) ?? READERS);
  // The SDK would make an internal error of a refusal such as 429; it is thrown, and told as everywhere else.
  let refusal: { readonly error: unknown } | null = null;
  const failed = (error: unknown): object => {
    if (refusal !== null) throw refusal.error;
    return { jsonrpc: "2.0", id, error: JsonRpcTransportHandler.mapToJSONRPCError(error) };
  };
  const handler = createRequestHandler(call, (error) => {
    if (!(error instanceof A2AError)) refusal = { error };
    return error;
  });
  const context = contextOf(request);
  try {
    validateVersion(context.requestedVersion, await handler.getAgentCard(), "JSONRPC");
  } catch (error) {
    return reply.send(failed(error));
  }
  const answer = await new JsonRpcTransportHandler(handler).handle({ ...body }, context);
  if (Symbol.asyncIterator in answer)
    return streamEvents(reply, call.gateway.bounds.heartbeatEveryMs, {
      events: toEvents(answer),
      onError: failed,
    });
  if (refusal !== null) failed(refusal);
  return reply.send(answer);
}
