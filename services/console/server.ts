import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { ApiKeys, RateLimit, recordRefusals, tellTakenPort } from "#shared/http";
import { limitFailures } from "#shared/http/limits";
import { openServer, runningServer } from "#shared/http/server";
import type { RunningServer } from "#shared/http/server";
import { every } from "#shared/runtime/process";
import { API_KEYS_EVERY_MS, compareClocks, explainFailure } from "#shared/store";
import { RecipeStore } from "#shared/store/cases";
import { callerOf, createAdmission } from "./api/guards/guard-requests.ts";
import { SessionStore } from "./api/guards/caller.ts";
import { registerRoutes } from "./api/routes.ts";
import { PeopleAudit } from "./audit/audit-changes.ts";
import type { Console, ConsoleParts } from "./console.ts";
import { Live } from "./live/measure.ts";
import { serveOpenId } from "./api/login/serve-openid.ts";
import { Search } from "./search/search.ts";
import { registerMcp } from "./mcp/register-mcp.ts";
import { PATH_CHARS_MAX, serveApp } from "./serve-app.ts";

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
): Promise<RunningServer> {
  const { store, bounds, logger } = parts;
  const stopping = new AbortController();
  await store.apiKeys.refresh();
  const console = await assemble(parts, stopping.signal);
  const app = await createServer(console);
  const taken = { service: "console", port: address.port, variable: "SUTURE_CONSOLE_PORT" };
  const url = await app.listen(address).catch(tellTakenPort(taken));
  console.search.begin();
  const compare = (): Promise<unknown> => Promise.all(store.shards.map(({ redis }) => compareClocks(redis)));
  const stopClock = every(bounds.clockCheckEveryMs, compare, logger);
  const stopKeys = every(API_KEYS_EVERY_MS, () => store.apiKeys.refresh(), logger);
  return runningServer(app, url, () => {
    stopping.abort();
    stopClock();
    stopKeys();
  });
}

const perHour = (many: number): RateLimit => new RateLimit({ burst: many, perSecond: many / 3600 });

async function assemble(parts: ConsoleParts, stopping: AbortSignal): Promise<Console> {
  const { bounds, config, store } = parts;
  const file = join(config.dataDir, "console", "sessions.json");
  const { sessionLifeMs: lifeMs, sessionsMax } = bounds;
  return {
    ...parts,
    recipes: new RecipeStore(store),
    // Without any configured it is a console for login links alone.
    apiKeys: new ApiKeys(config.apiKeys ?? [], store.apiKeys),
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
  const { logger, store } = console;
  const app = await openServer({
    ...console,
    options: {
      routerOptions: {
        maxParamLength: PATH_CHARS_MAX,
        // A parameter that is given twice counts once, the last time.
        querystringParser: (text) => Object.fromEntries(new URLSearchParams(text)),
      },
    },
    problems: {
      logger,
      statusByCode: STATUS_BY_CODE,
      explain: (error) => explainFailure(store, error),
      onProblem: recordRefusals({
        nameOf: (request) => callerOf(request)?.name ?? null,
        write: (refused) => store.refusals.add({ ...refused, service: "console" }),
        logger,
      }),
    },
    admit: createAdmission(console),
  });
  serveOpenId(app, console);
  serveApp(app);
  registerRoutes(app, console);
  registerMcp(app, console);
  await app.ready();
  return app;
}
