import helmet from "@fastify/helmet";
import Fastify from "fastify";
import type { FastifyHttpOptions, FastifyInstance, FastifyRequest } from "fastify";
import type { Server } from "node:http";
import type { Logger } from "pino";
import type { ApiScope } from "#shared/config";
import type { Metrics } from "#shared/telemetry";
import { answerBrokenRequest, answerProblems, sendProblem } from "../answer-problems.ts";
import type { ProblemOptions } from "../answer-problems.ts";
import { requireGuards } from "../api-keys.ts";
import { limitConnections } from "../limit-connections.ts";
import type { ConnectionBounds } from "../limit-connections.ts";
import { checkForm } from "../read-json.ts";
import { traceRequests } from "../trace-requests.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Scopes that may call the route; null: anyone. A route without this stops the start, and is refused. */
    scopes?: readonly ApiScope[] | null;
  }
}

/** Limits that services have alike, all inclusive. Milliseconds and counts as the names say. */
export const SERVER_BOUNDS_DEFAULT = {
  anonymousPerAddressMax: 100,
  anonymousMs: 10_000,
  failuresBurst: 20,
  failuresPerSecond: 0.5,
  /** Silence on a connection after which it is closed. Above the longest wait and the heartbeat. */
  connectionTimeoutMs: 75_000,
  /** Silence after which an event stream sends a comment. */
  heartbeatEveryMs: 15_000,
  /** Pause between two corrections of the clock by that of Redis. */
  clockCheckEveryMs: 10_000,
};

/** Decides whether a request may go on, before its body is read. @param scopes - Null: its route is open to anyone. */
type AdmitRequest = (
  request: FastifyRequest,
  scopes: readonly ApiScope[] | null,
) => Promise<unknown> | undefined;

/** The parts of a service's server. */
export interface ServerParts {
  readonly bounds: ConnectionBounds &
    Readonly<Record<"bodyBytesMax" | "connectionTimeoutMs" | "requestTimeoutMs", number>>;
  readonly options: Pick<FastifyHttpOptions<Server>, "http" | "routerOptions">;
  readonly problems: ProblemOptions;
  readonly admit: AdmitRequest;
  /** Aborted when the service begins to stop. */
  readonly stopping: AbortSignal;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** As in `FairLimit`. Default: there is one tenant. */
  readonly tenantShare?: () => number;
}

/** Makes a server that limits, traces and guards requests and answers with problems. Routes are added to it. */
export async function openServer(parts: ServerParts): Promise<FastifyInstance> {
  const { bounds, problems } = parts;
  const app = Fastify({
    logger: false,
    bodyLimit: bounds.bodyBytesMax,
    connectionTimeout: bounds.connectionTimeoutMs,
    requestTimeout: bounds.requestTimeoutMs,
    // A service that stops answers in its own form: `guardRequests` says that the connection closes.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    frameworkErrors: (error, request, reply) => void sendProblem({ error, request, reply }, problems),
    clientErrorHandler: answerBrokenRequest,
    ...parts.options,
  });
  limitConnections(app.server, bounds, parts.tenantShare);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Transport security is the matter of whoever puts TLS in front.
    hsts: false,
  });
  traceRequests(app, parts.logger, parts.metrics);
  guardRequests(app, parts);
  answerProblems(app, problems);
  return app;
}

/** Checks the form of every request, and lets it be admitted. Call it before the first route is added. */
export function guardRequests(
  app: FastifyInstance,
  { admit, stopping }: Pick<ServerParts, "admit" | "stopping">,
): void {
  requireGuards(app, ({ config }) => config?.scopes !== undefined);
  app.addHook("onRequest", async (request, reply) => {
    void reply.header("cache-control", "no-store");
    // Clients with open connections find another process.
    if (stopping.aborted) void reply.header("connection", "close");
    checkForm(request);
    if (request.is404) return;
    const { scopes = [] } = request.routeOptions.config;
    await admit(request, scopes);
  });
}

/** A service that takes requests. */
export interface RunningServer {
  /** `http://host:port`. */
  readonly url: string;
  /** Takes no new connection, ends what waits, lets requests in hand end for `graceMs`. A second call waits too. */
  stop(graceMs: number): Promise<void>;
}

/** Returns a server that listens. @param end - Ends what runs beside it, when it begins to stop. */
export function runningServer(
  app: FastifyInstance,
  url: string,
  end: (graceMs: number) => unknown,
): RunningServer {
  let stopped: Promise<unknown> | null = null;
  return {
    url,
    stop: async (graceMs) => {
      stopped ??= Promise.all([end(graceMs), closeWithin(app, graceMs)]);
      await stopped;
    },
  };
}

const IDLE_SWEEP_MS = 50;

/** A connection that becomes idle while the server closes would be kept for its whole keep-alive time. */
async function closeWithin(app: FastifyInstance, graceMs: number): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS);
  const giveUp = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(giveUp);
  }
}
