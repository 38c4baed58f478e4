import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ApiScope, KeyHolder } from "#shared/config";
import { SutureError } from "#shared/errors";
import {
  checkForm,
  FailedAttempts,
  keepConnection,
  RateLimit,
  requireGuards,
  UnauthorisedError,
} from "#shared/http";
import { QuotaExceededError } from "../errors.ts";
import type { Gateway } from "../gateway.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Scopes that may call the route; null: anyone. A route without this stops the start, and is refused. */
    scopes?: readonly ApiScope[] | null;
  }
}

const callers = new WeakMap<FastifyRequest, KeyHolder>();

/** Whose key a request came with; null on routes that ask for none. */
export function callerOf(request: FastifyRequest): KeyHolder | null {
  return callers.get(request) ?? null;
}

/** Whether the key of a request may still do what it asks for: it may be revoked while an answer waits. */
export function mayStill({ keys }: Pick<Gateway, "keys">, request: FastifyRequest): boolean {
  const { scopes } = request.routeOptions.config;
  try {
    return scopes === null || keys.authorise(request.headers.authorization, scopes ?? []) !== null;
  } catch (error) {
    if (error instanceof SutureError) return false;
    throw error;
  }
}

/**
 * What every request passes before its body is read: form, key and scope, rate. Call it before the first route is
 * added.
 */
export function guardRequests(
  app: FastifyInstance,
  gateway: Pick<Gateway, "keys" | "bounds" | "stopping" | "store">,
): void {
  requireGuards(app, ({ config }) => config?.scopes !== undefined);
  const { rateBurst, ratePerSecond } = gateway.bounds;
  const failures = new FailedAttempts(gateway.bounds);
  const rate = new RateLimit({ burst: rateBurst, perSecond: ratePerSecond });
  const authorise = (request: FastifyRequest, scopes: readonly ApiScope[]): KeyHolder => {
    try {
      return gateway.keys.authorise(request.headers.authorization, scopes);
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
    keepConnection(request.raw.socket, key);
    rate.take(key.name);
    await countRequest(gateway, key);
    callers.set(request, key);
  });
}

/** Only of a key with such a quota is Redis asked. @throws {QuotaExceededError} */
async function countRequest({ store }: Pick<Gateway, "store">, { name, quotas }: KeyHolder): Promise<void> {
  const { requests_per_minute: perMinute } = quotas;
  if (perMinute === undefined) return;
  const retryAfterMs = await store.apiKeys.countRequest(name, perMinute);
  if (retryAfterMs === null) return;
  const over = `${perMinute} requests a minute`;
  throw new QuotaExceededError({ whose: "key", quota: "requests_per_minute", over, retryAfterMs });
}
