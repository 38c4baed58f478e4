import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { abortWithClient, problemSchema, readJsonOnly, traceOf } from "#shared/http";
import type { Gateway } from "../gateway.ts";
import type { GatewayCall, GatewayRoute } from "../operation.ts";
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

/** What answers HEAD as well: JSON documents. A stream would be opened for nobody. */
export function answersHead({ method, operation }: GatewayRoute): boolean {
  return method === "GET" && operation.answers !== undefined;
}

function register(app: FastifyInstance, gateway: Gateway, route: GatewayRoute): void {
  const { method, path, operation } = route;
  const options: RouteOptions = {
    method,
    url: path,
    exposeHeadRoute: answersHead(route),
    config: { scopes: operation.scopes },
    schema: {
      operationId: operation.id,
      summary: operation.summary,
      ...(operation.scopes === null ? {} : { security: [{ key: [] }] }),
      ...(operation.params === undefined ? {} : { params: operation.params }),
      ...(operation.query === undefined ? {} : { querystring: operation.query }),
      ...(operation.body === undefined ? {} : { body: operation.body }),
      response: {
        ...(operation.answers === undefined ? {} : { [operation.status]: operation.answers }),
        default: {
          description: "A problem",
          content: { "application/problem+json": { schema: problemSchema } },
        },
      },
    },
    handler: async (request, reply) => {
      void reply.code(operation.status);
      return operation.handle(toCall(gateway, request, reply));
    },
  };
  app.route(options);
}

function toCall(gateway: Gateway, request: FastifyRequest, reply: FastifyReply): GatewayCall {
  return {
    gateway,
    params: request.params,
    query: request.query,
    body: request.body,
    request,
    reply,
    caller: callerOf(request),
    mayStill: () => mayStill(gateway, request),
    traceparent: traceOf(request)?.traceparent ?? "",
    signal: abortWithClient(reply, gateway.stopping),
  };
}
