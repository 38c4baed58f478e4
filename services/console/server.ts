import helmet from "@fastify/helmet";
import Fastify from "fastify";
import type { FastifyInstance } from "fastify";
import {
  answerBrokenRequest,
  answerProblems,
  ApiKeys,
  limitConnections,
  RateLimit,
  recordRefusals,
  sendProblem,
  traceOf,
  traceRequests,
} from "#shared/http";
import { limitFailures } from "#shared/http/limits";
import type { ProblemOptions } from "#shared/http";
import { every } from "#shared/runtime/process";
import { API_KEYS_EVERY_MS, compareClocks, explainFailure } from "#shared/store";
import { RecipeStore } from "#shared/store/cases";
import { callerOf, guardRequests } from "./api/guards/guard-requests.ts";
import { SessionStore } from "./api/guards/caller.ts";
import { registerRoutes, ROUTES } from "./api/routes.ts";
import { PeopleAudit } from "./audit/audit-changes.ts";
import type { Console, ConsoleParts } from "./console.ts";
import { Live } from "./live/measure.ts";
import { Search } from "./search/search.ts";
import { PATH_CHARS_MAX, serveApp } from "./serve-app.ts";

/** A console that takes requests. */
export interface RunningConsole {
  /** `http://host:port`. */
  readonly url: string;
  /** Stops: takes no new connection, ends streams, lets requests in hand end for `graceMs`. Twice is once. */
  stop(graceMs: number): Promise<void>;
}

/** Statuses of the ward's and the store's errors. */
const STATUS_BY_CODE = {
  NOT_FOUND: 404,
  WARD_CASE_CHANGED: 409,
  WARD_DECISION_REFUSED: 409,
  WARD_BATCH_STATE: 409,
} as const;

/** Starts to listen. The parts stay the caller's to close. */
export async function startConsole(
  parts: ConsoleParts,
  address: { readonly host: string; readonly port: number },
): Promise<RunningConsole> {
  const { store, bounds, logger } = parts;
  const stopping = new AbortController();
  await store.apiKeys.refresh();
  const console = await assemble(parts, stopping.signal);
  const app = await createServer(console);
  const url = await app.listen(address);
  console.search.begin();
  const compare = (): Promise<unknown> => Promise.all(store.shards.map(({ redis }) => compareClocks(redis)));
  const stopClock = every(bounds.clockCheckEveryMs, compare, logger);
  const stopKeys = every(API_KEYS_EVERY_MS, () => store.apiKeys.refresh(), logger);
  let stopped: Promise<void> | null = null;
  const stop = async (graceMs: number): Promise<void> => {
    stopping.abort();
    stopClock();
    stopKeys();
    const timer = setTimeout(() => app.server.closeAllConnections(), graceMs);
    await app.close();
    clearTimeout(timer);
  };
  return { url, stop: (graceMs) => (stopped ??= stop(graceMs)) };
}

const perHour = (many: number): RateLimit => new RateLimit({ burst: many, perSecond: many / 3600 });

async function assemble(parts: ConsoleParts, stopping: AbortSignal): Promise<Console> {
  const { bounds, sessionsFile: file, store } = parts;
  const { sessionLifeMs: lifeMs, sessionsMax } = bounds;
  return {
    ...parts,
    recipes: new RecipeStore(store),
    apiKeys: new ApiKeys(parts.apiKeys, store.apiKeys),
    countFailure: limitFailures(bounds),
    reveals: perHour(bounds.revealsPerHour),
    logins: perHour(bounds.loginsPerHour),
    sessions: await SessionStore.open({ file, lifeMs, sessionsMax }),
    audit: new PeopleAudit(store.people),
    search: new Search({ ...parts, stopping }),
    live: new Live(parts),
    stopping,
  };
}

async function createServer(console: Console): Promise<FastifyInstance> {
  const { bounds, logger } = console;
  const problems: ProblemOptions = {
    logger,
    traceIdOf: (request) => traceOf(request)?.traceId ?? null,
    statusByCode: STATUS_BY_CODE,
    explain: (error) => explainFailure(console.store, error),
    onProblem: recordRefusals({
      nameOf: (request) => callerOf(request)?.name ?? null,
      write: (refused) => console.store.refusals.add({ ...refused, service: "console" }),
      logger,
    }),
  };
  const app = Fastify({
    logger: false,
    bodyLimit: bounds.bodyBytesMax,
    connectionTimeout: bounds.connectionTimeoutMs,
    requestTimeout: bounds.requestTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    routerOptions: {
      maxParamLength: PATH_CHARS_MAX,
      // A parameter that is given twice counts once, the last time.
      querystringParser: (text) => Object.fromEntries(new URLSearchParams(text)),
    },
    frameworkErrors: (error, request, reply) => void sendProblem({ error, request, reply }, problems),
    clientErrorHandler: answerBrokenRequest,
  });
  limitConnections(app.server, bounds);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // HSTS belongs to the TLS proxy in front.
    hsts: false,
  });
  traceRequests(app, logger, console.metrics);
  guardRequests(app, console);
  answerProblems(app, ROUTES, problems);
  serveApp(app);
  registerRoutes(app, console);
  await app.ready();
  return app;
}
