import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ApiKey, ApiScope } from "#shared/config";
import {
  ApiKeys,
  checkForm,
  FailedAttempts,
  keepConnection,
  RateLimit,
  requireGuards,
  UnauthorisedError,
} from "#shared/http";
import type { Gateway } from "../gateway.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Scopes that may call the route; null: anyone. A route without this stops the start, and is refused. */
    scopes?: readonly ApiScope[] | null;
  }
}

const callers = new WeakMap<FastifyRequest, ApiKey>();

/** Whose key a request came with; null on routes that ask for none. */
export function callerOf(request: FastifyRequest): ApiKey | null {
  return callers.get(request) ?? null;
}

/**
 * What every request passes before its body is read: form, key and scope, rate. Call it before the first route is
 * added.
 */
export function guardRequests(
  app: FastifyInstance,
  gateway: Pick<Gateway, "apiKeys" | "bounds" | "stopping">,
): void {
  requireGuards(app, ({ config }) => config?.scopes !== undefined);
  const apiKeys = new ApiKeys(gateway.apiKeys);
  const { rateBurst, ratePerSecond } = gateway.bounds;
  const failures = new FailedAttempts(gateway.bounds);
  const rate = new RateLimit({ burst: rateBurst, perSecond: ratePerSecond });
  const authorise = (request: FastifyRequest, scopes: readonly ApiScope[]): ApiKey => {
    try {
      return apiKeys.authorise(request.headers.authorization, scopes);
    } catch (error) {
      const { authorization } = request.headers;
      if (error instanceof UnauthorisedError && authorization !== undefined) failures.count(request);
      throw error;
    }
  };
  app.addHook("onRequest", async (request, reply) => {
    void reply.header("cache-control", "no-store");
    // Clients with open connections find another gateway.
    if (gateway.stopping.aborted) void reply.header("connection", "close");
    checkForm(request);
    if (request.is404) return;
    const { scopes } = request.routeOptions.config;
    if (scopes === null) return;
    const key = authorise(request, scopes ?? []);
    keepConnection(request.raw.socket);
    rate.take(key.name);
    callers.set(request, key);
  });
}
