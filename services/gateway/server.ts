import type { FastifyInstance } from "fastify";
import { uuidv7 } from "#shared/clock";
import { ApiKeys, keepConnection, tellTakenPort } from "#shared/http";
import { openServer, runningServer } from "#shared/http/server";
import type { RunningServer } from "#shared/http/server";
import { loadPackage, PackageMissingError } from "#shared/errors";
import { FairLimit } from "#shared/http/limits";
import { readIntake } from "#shared/people";
import { every } from "#shared/runtime/process";
import { API_KEYS_EVERY_MS, compareClocks } from "#shared/store";
import { Placement, PLACEMENT_EVERY_MS } from "#shared/store/shards";
import type { Store } from "#shared/store";
import { retireAbsent, retireRuns, RunAudit, waitingOf } from "#shared/store/upkeep";
import { sendWebhooks } from "./webhook/send-webhooks.ts";
import { registerA2a } from "./a2a/register-a2a.ts";
import { draftRoutesOf } from "./agent-protocol/addresses.ts";
import type { Gateway, GatewayParts } from "./gateway.ts";
import { createAdmission, tellProblems } from "./guards/guard-requests.ts";
import type { Admit } from "./guards/guard-requests.ts";
import { exposeArchive, exposeMetrics, exposeStore } from "./guards/expose-metrics.ts";
import { registerMcp } from "./mcp/register-mcp.ts";
import { registerRoutes } from "./guards/register-routes.ts";
import { ROUTES } from "./routes.ts";
import { carryOutReplays } from "./runs/carry-out-replays.ts";
import { findQueueDamage } from "./runs/judge-readiness.ts";
import { tenantAccount } from "./tenancy/accounts.ts";
import { remember } from "./runs/measure.ts";
import type { StaticDocumentSpec } from "@fastify/swagger";
import { describeApi } from "#shared/api";

/** Looks that a gateway may miss before another one takes over the audit. */
const AUDIT_LEASE_LOOKS = 10;
const REPLAYS_EVERY_MS = 500;
const INTAKE_EVERY_MS = 1000;
/** Looking at every queue of every team takes some hundred commands. */
const DAMAGE_STALE_FACTOR = 5;

/** Starts to listen. The parts stay the caller's to close. */
export async function startGateway(
  parts: GatewayParts,
  address: { readonly host: string; readonly port: number },
): Promise<RunningServer> {
  const stopping = new AbortController();
  const gateway = assemble(parts, stopping.signal);
  await openQueues(gateway);
  await gateway.store.apiKeys.refresh();
  await gateway.placement.refresh();
  await refreshIntake(gateway);
  const admit = createAdmission(gateway);
  const app = await createServer(gateway, admit);
  const taken = { service: "gateway", port: address.port, variable: "SUTURE_GATEWAY_PORT" };
  const url = await app.listen(address).catch(tellTakenPort(taken));
  const stopGrpc = await openGrpc(gateway, admit, address.host);
  const { bounds, logger, store } = gateway;
  const tasks: readonly (readonly [everyMs: number, turn: () => Promise<unknown>])[] = [
    [bounds.webhookEveryMs, () => sendWebhooks(gateway)],
    [bounds.retireEveryMs, retireOf(gateway)],
    [bounds.retireBlobsEveryMs, () => gateway.blobs.retire()],
    [bounds.archiveEveryMs, async () => gateway.archive?.retire()],
    ...store.shards.map((shard) => [bounds.auditEveryMs, auditOf(gateway, shard)] as const),
    ...store.shards.flatMap((shard) => archiveOf(gateway, shard)),
    ...store.shards.map(({ redis }) => [bounds.clockCheckEveryMs, () => compareClocks(redis)] as const),
    [REPLAYS_EVERY_MS, () => carryOutReplays(gateway)],
    [PLACEMENT_EVERY_MS, () => gateway.placement.refresh()],
    [INTAKE_EVERY_MS, () => refreshIntake(gateway)],
    [API_KEYS_EVERY_MS, () => store.apiKeys.refresh()],
  ];
  const stops = tasks.map(([everyMs, turn]) => every(everyMs, turn, logger));
  return runningServer(app, url, (graceMs) => {
    stopping.abort();
    for (const stopTask of stops) stopTask();
    return stopGrpc(graceMs);
  });
}

/** Loads gRPC only where it is on. @returns what stops it. */
async function openGrpc(
  gateway: Gateway,
  admit: Admit,
  host: string,
): Promise<(graceMs: number) => Promise<void>> {
  if (gateway.a2aGrpcPort === null) return async () => undefined;
  const { serveGrpc } = await loadPackage(
    ["@grpc/grpc-js", "@bufbuild/protobuf"],
    () => import("./a2a/serve-grpc.ts"),
  );
  return serveGrpc(gateway, admit, { host, port: gateway.a2aGrpcPort });
}

/** Forgets runs that are over, and what is left of agents that nobody works for. */
function retireOf({ store }: Gateway): () => Promise<void> {
  let round = 0;
  return async () => {
    await retireRuns(store);
    await retireAbsent(store, round++);
  };
}

/** Moves ended runs of a shard to the archive, where there is one; one gateway at a time. */
function archiveOf({ archive, bounds, stopping }: Gateway, shard: Store) {
  const mover = archive?.moverOf(shard);
  return mover === undefined ? [] : [[bounds.archiveEveryMs, () => mover.round(stopping)] as const];
}

/** One gateway at a time looks at a shard, for all. */
function auditOf({ bounds, logger }: Gateway, shard: Store): () => Promise<void> {
  const audit = new RunAudit(shard, {
    instance: uuidv7(),
    runsMax: bounds.auditRunsMax,
    graceMs: bounds.auditGraceMs,
    leaseMs: bounds.auditEveryMs * AUDIT_LEASE_LOOKS,
  });
  return async () => {
    for (const { run_id, message_id, agent, as } of await audit.look())
      logger.error({ run_id, message_id, agent, as }, "nothing held a message that its run waits for");
  };
}

/**
 * Opens every queue while Redis is known to answer: the engine asks Redis for its version once for each queue, and one
 * whose question was lost in an outage would refuse messages until this process ends.
 */
async function openQueues({ store, teams }: Gateway): Promise<void> {
  const agents = teams.flatMap((team) => [...team.agents.keys()]);
  const queues = store.awake.flatMap((shard) =>
    agents.flatMap((agent) => [shard.queues.of(agent, "fresh"), shard.queues.of(agent, "retry")]),
  );
  await Promise.all(queues.map((queue) => queue.waitUntilReady()));
}

function assemble(parts: GatewayParts, stopping: AbortSignal): Gateway {
  const { store, bounds } = parts;
  const keys = new ApiKeys(parts.apiKeys, store.apiKeys);
  const tenantShareNow = (): number => (keys.isShared ? parts.tenantShare : 1);
  return {
    ...parts,
    wardIsFull: remember(bounds.staleMsMax, parts.wardIsFull),
    storeIsFull: remember(bounds.staleMsMax, parts.storeIsFull),
    placement: new Placement(store),
    countWaiting: remember(bounds.staleMsMax, () => countWaiting(store)),
    intake: { isClosed: false },
    queueDamage: remember(DAMAGE_STALE_FACTOR * bounds.staleMsMax, () => findQueueDamage(parts)),
    openByTenant: remember(bounds.fairEveryMs, () => countOpen(store)),
    keys,
    tenantShareNow,
    waiters: new FairLimit(bounds.waitersMax, tenantShareNow),
    pushes: new FairLimit(bounds.pushesMax, tenantShareNow),
    stopping,
  };
}

/** Reads people's orders about new tasks, and of restores. Not with each task: Redis may hang. */
async function refreshIntake({ store, intake }: Gateway): Promise<void> {
  const [order] = await Promise.all([readIntake(store), store.restores.refresh()]);
  intake.isClosed = order?.is_closed === true || store.restores.isHeld;
}

async function countWaiting({ awake }: Store): Promise<number> {
  const counts = await Promise.all(awake.map(({ runs }) => runs.counts()));
  return counts.reduce((sum, own) => sum + waitingOf(own), 0);
}

async function countOpen({ owners }: Store): Promise<ReadonlyMap<string, number>> {
  const tenants = await owners.tenants();
  const counts = tenants.map(async (tenant) => [tenant, await owners.open(tenantAccount(tenant))] as const);
  return new Map(await Promise.all(counts));
}

async function createServer(gateway: Gateway, admit: Admit): Promise<FastifyInstance> {
  const { bounds, tenantShareNow: tenantShare } = gateway;
  const app = await openServer({
    ...gateway,
    options: {
      http: {
        headersTimeout: bounds.headersTimeoutMs,
        connectionsCheckingInterval: bounds.connectionsCheckEveryMs,
      },
      routerOptions: { maxParamLength: 300 },
    },
    problems: tellProblems(gateway),
    admit: (request, scopes) =>
      scopes === null ? undefined : admit(request, scopes, (key) => keepConnection(request.raw.socket, key)),
    tenantShare,
  });
  exposeMetrics(gateway);
  exposeStore(gateway);
  exposeArchive(gateway);
  await serveDescription(app, gateway);
  registerRoutes(app, gateway, [...ROUTES, ...draftRoutesOf(ROUTES)]);
  registerA2a(app, gateway);
  registerMcp(app, gateway);
  await app.ready();
  return app;
}

/** Serves the API's description at `/openapi.json` and a reader at `/docs`, where its packages are, without a key. */
async function serveDescription(
  app: FastifyInstance,
  { gatewayPublicUrl }: Pick<Gateway, "gatewayPublicUrl">,
): Promise<void> {
  const document = describeApi([], gatewayPublicUrl ?? undefined);
  const reader = await loadPackage(["@fastify/swagger", "@fastify/swagger-ui"], () =>
    Promise.all([import("@fastify/swagger"), import("@fastify/swagger-ui")]),
  ).catch((error: unknown) => {
    if (error instanceof PackageMissingError) return error;
    throw error;
  });
  // The plugin declares OpenAPI 3.0 alone and hands any document on as it is.
  const specification = { document: document as unknown as StaticDocumentSpec["document"] };
  if (Array.isArray(reader)) await app.register(reader[0].default, { mode: "static", specification });
  await app.register(async (scope) => {
    scope.addHook("onRoute", (route) => {
      route.config = { ...route.config, scopes: null };
    });
    scope.get("/openapi.json", async () => document);
    if (!Array.isArray(reader)) return void scope.get("/docs", () => Promise.reject(reader));
    await scope.register(reader[1].default, {
      routePrefix: "/docs",
      staticCSP: true,
      uiConfig: { tryItOutEnabled: false },
    });
  });
}
