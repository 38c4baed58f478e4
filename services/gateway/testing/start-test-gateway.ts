import { connect } from "node:net";
import type { Socket } from "node:net";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { loadConfig } from "#shared/config";
import type { ApiKey } from "#shared/config";
import { issueKeyring } from "#shared/envelope/keys";
import type { KeyGenerations } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { Store } from "#shared/store";
import type { StoreOptions } from "#shared/store";
import { RunWatcher } from "#shared/store/runs";
import { Metrics } from "#shared/telemetry";
import { createTestSystem, temporaryFolder } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { LocalBlobs } from "#shared/blobs";
import { GATEWAY_BOUNDS_DEFAULT } from "../bounds.ts";
import type { GatewayBounds } from "../bounds.ts";
import type { GatewayParts } from "../gateway.ts";
import { startGateway } from "../server.ts";
import type { RunningServer } from "#shared/http/server";
import { chainTeam } from "./chain-team.ts";

export const SECRETS = {
  viewer: "viewer-secret-0123456789",
  submit: "submit-secret-0123456789",
  submit2: "other-secret-0123456789",
  operator: "operator-secret-0123456789",
  admin: "admin-secret-0123456789",
  acmeViewer: "acme-viewer-0123456789",
  acme: "acme-submit-0123456789",
  acmeOperator: "acme-operator-0123456789",
  globex: "globex-submit-0123456789",
} as const;

/** Parts that are the same in every test. */
const PARTS = {
  apiKeys: readKeys(),
  logger: pino({ level: "silent" }),
  wardIsFull: async () => false,
  storeIsFull: async () => false,
  queueLimit: 10_000,
  tenantShare: 0.5,
  agentProtocolTeam: "support",
  gatewayPublicUrl: null,
  a2aGrpcPort: null,
  a2aKeys: null,
  pushHosts: new Set<string>(),
  userModels: [],
  isReadyWithoutAgents: true,
  checksAnswers: true,
};

export interface TestGateway {
  readonly system: TestSystem;
  readonly running: RunningServer;
  readonly url: string;
  readonly port: number;
  readonly blobsFolder: string;
  readonly store: Store;
  /** Requests with the admin's key unless `key` says another; null sends none. */
  send(path: string, request?: RequestInit & { key?: string | null }): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

export interface TestGatewayOptions {
  readonly bounds?: Partial<GatewayBounds>;
  readonly parts?: Partial<GatewayParts>;
  /** Address of Redis as the gateway sees it, for cutting it off. */
  readonly redisUrl?: string;
  /** Another Redis, say, for the gateway and its agents. */
  readonly store?: Partial<StoreOptions>;
  /** Default: `chainTeam`. */
  readonly team?: Team;
  /** The system of another gateway, which this one joins or replaces. Default: a new one of the team. */
  readonly system?: TestSystem;
  /** Of all keys. Default: shared secrets. */
  readonly generations?: KeyGenerations;
}

/** A real gateway on a loopback port, with a real Redis; `system.start` starts its agents. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const team = options.team ?? options.system?.team ?? chainTeam;
  const { store: ofStore, generations } = options;
  const issued = generations === undefined ? {} : { generations };
  const system =
    options.system ??
    createTestSystem(team, { ...issued, ...(ofStore === undefined ? {} : { store: ofStore }) });
  const folder = temporaryFolder();
  const store = new Store({
    ...system.store.options,
    ...(options.redisUrl === undefined ? {} : { url: options.redisUrl }),
    role: "producer",
  });
  const subscribers = store.shards.map((shard) => shard.connectAnother("worker"));
  await ready(store);
  const running = await startGateway(
    {
      store,
      watcher: new RunWatcher(subscribers, store.keys),
      teams: [team],
      keyring: issueKeyring({ ...issued, master: system.master, agent: "gateway", edges: edgesOf([team]) }),
      blobs: new LocalBlobs(folder, { bytesMax: 1024 ** 3, ageMsMax: 3_600_000 }),
      metrics: new Metrics(),
      ...PARTS,
      ...options.parts,
      bounds: {
        ...GATEWAY_BOUNDS_DEFAULT,
        webhookEveryMs: 100,
        staleMsMax: 0,
        fairEveryMs: 0,
        ...options.bounds,
      },
    },
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(async () => {
    await running.stop(500);
    for (const subscriber of subscribers) subscriber.disconnect();
    await store.close();
  });
  const send: TestGateway["send"] = (path, { key = SECRETS.admin, headers, ...request } = {}) =>
    fetch(running.url + path, {
      ...request,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(headers as Record<string, string>),
      },
    });
  return {
    system,
    running,
    store,
    url: running.url,
    port: Number(new URL(running.url).port),
    blobsFolder: folder,
    send,
    post: (path, body, headers = {}) =>
      send(path, {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      }),
  };
}

async function ready(store: Store): Promise<void> {
  for (const { redis } of store.shards)
    if (redis.status !== "ready") await new Promise((resolve) => redis.once("ready", resolve));
}

function readKeys(): readonly ApiKey[] {
  return (
    loadConfig({
      SUTURE_API_KEYS: [
        `v:viewer:${SECRETS.viewer}`,
        `s:submit:${SECRETS.submit}`,
        `s2:submit:${SECRETS.submit2}`,
        `o:operator:${SECRETS.operator}`,
        `a:admin:${SECRETS.admin}`,
        `acme/v:viewer:${SECRETS.acmeViewer}`,
        `acme/s:submit:${SECRETS.acme}`,
        `acme/o:operator:${SECRETS.acmeOperator}`,
        `globex/s:submit:${SECRETS.globex}`,
      ].join(),
    }).apiKeys ?? []
  );
}

export const KEY = `Authorization: Bearer ${SECRETS.admin}`;

/** Opens a connection from one of the loopback addresses, on which nothing is sent. It ends with the test. */
export async function openConnection(
  { port }: Pick<TestGateway, "port">,
  localAddress = "127.0.0.1",
): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  return socket;
}

/** Sends bytes as they are. @returns All that comes back until the other side closes. */
export async function sendRaw(gateway: Pick<TestGateway, "port">, text: string): Promise<string> {
  const socket = await openConnection(gateway);
  const answer = new Promise<string>((resolve) => {
    let told = "";
    socket.on("data", (bytes) => (told += bytes.toString()));
    socket.once("close", () => resolve(told));
  });
  socket.write(text);
  return answer;
}

/** The head of a request: its lines, a `Host` and the empty line. */
export function head(...lines: readonly string[]): string {
  return [...lines, "Host: x", "", ""].join("\r\n");
}
