import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { checkAnswer, checkParts, keepDeclared, statusOf } from "#shared/api";
import { abortWithClient, readJsonOnly, traceOf } from "#shared/http";
import type { Gateway, GatewayCall, GatewayRoute } from "../gateway.ts";
import { callerOf, mayStill } from "./guard-requests.ts";

/** Makes the table of operations into routes. Those that take a stream have a scope of their own, without a parser. */
export function registerRoutes(
  app: FastifyInstance,
  gateway: Gateway,
  routes: readonly GatewayRoute[],
): void {
  void app.register(async (scope) => {
    readJsonOnly(scope, gateway.bounds.bodyBytesMax);
    for (const route of routes.filter(({ operation }) => operation.takes !== "stream"))
      register(scope, gateway, route);
  });
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, content, done) => done(null, content));
    for (const route of routes.filter(({ operation }) => operation.takes === "stream"))
      register(scope, gateway, route);
  });
}

/** Returns true if a route answers HEAD too, as JSON documents do. A stream would be opened for nobody. */
function answersHead({ method, operation }: GatewayRoute): boolean {
  return method === "GET" && typeof operation.answers[statusOf(operation)] === "object";
}

function register(app: FastifyInstance, gateway: Gateway, route: GatewayRoute): void {
  const { method, path, operation } = route;
  app.route({
    method,
    url: path,
    exposeHeadRoute: answersHead(route),
    config: { scopes: operation.scopes },
    handler: async (request, reply) => {
      void reply.code(statusOf(operation));
      const answer = await operation.handle({
        ...callOf(gateway, request, reply),
        ...checkParts(operation, request),
      });
      const answered = { status: reply.statusCode, answer };
      if (answer === reply) return reply;
      if (gateway.checksAnswers === true) checkAnswer(operation, answered);
      return keepDeclared(operation, answered);
    },
  });
}

/** Returns a request with what the gateway adds to it, for whoever handles it. */
export function callOf(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
): Omit<GatewayCall, "params" | "query" | "body"> {
  return {
    gateway,
    request,
    reply,
    caller: callerOf(request),
    mayStill: () => mayStill(gateway, request.headers.authorization, request.routeOptions.config.scopes),
    traceparent: traceOf(request)?.traceparent ?? "",
    signal: abortWithClient(reply, gateway.stopping),
  };
}
