import { pino } from "pino";
import { onTestFinished } from "vitest";
import { Secret } from "#shared/config";
import type { BridgeConfig } from "#shared/config";
import { issueKeyring, Keyring } from "#shared/envelope/keys";
import { RETRY_POLICY_DEFAULT } from "#shared/failure";
import { edgesOf, RUNTIME_LIMITS_DEFAULT } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import type { StoreOptions } from "#shared/store";
import { auditRuns } from "#shared/store/upkeep";
import { Metrics } from "#shared/telemetry";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import type { BridgeParts } from "../../services/bridge/bridge.ts";
import { startBridge } from "../../services/bridge/start-bridge.ts";
import type { RunningBridge } from "../../services/bridge/start-bridge.ts";
import { chooseFreePort } from "../../infra/redis/redis-process.ts";
import { TcpProxy } from "../chaos/tcp-proxy.ts";
import { startOwnRedis } from "./redis-servers.ts";
import type { OwnRedis } from "./redis-servers.ts";

/** One of two clusters: its Redis, its keys, its bridge, and the link by which the other one reaches it. */
export interface TestCluster {
  readonly name: string;
  readonly redis: OwnRedis;
  readonly system: TestSystem;
  readonly keyring: Keyring;
  /** Leads the other cluster's bridge to this one's. */
  readonly link: TcpProxy;
  readonly config: BridgeConfig & { readonly cluster: string };
  /** Starts a bridge of this cluster in this process. */
  startBridge(more?: Partial<BridgeParts>): Promise<RunningBridge>;
  /** Nothing that a run waits for is held by nobody. */
  lost(): Promise<readonly unknown[]>;
}

export const SECRET = Buffer.alloc(32, 9).toString("base64url");

const DURABLE = ["--appendonly", "yes", "--appendfsync", "everysec"];
const NEVER = (): Promise<boolean> => Promise.resolve(false);

/** Two clusters with a real Redis each, joined by bridges; `remote` names the agents that live in the far one. */
export async function openTwoClusters(
  team: Team,
  options: {
    readonly remote: readonly string[];
    readonly store?: Partial<StoreOptions>;
    readonly config?: Partial<BridgeConfig>;
  },
): Promise<{ readonly home: TestCluster; readonly far: TestCluster }> {
  const here = [...team.agents.keys()].filter((agent) => !options.remote.includes(agent));
  const ports = { home: await chooseFreePort(null), far: await chooseFreePort(null) };
  const links = { home: await TcpProxy.open(ports.home), far: await TcpProxy.open(ports.far) };
  onTestFinished(() => {
    links.home.close();
    links.far.close();
  });
  const scheme = (options.config?.tls ?? null) === null ? "http" : "https";
  const redis = await Promise.all([startOwnRedis(DURABLE), startOwnRedis(DURABLE)]);
  const home = openCluster(team, {
    ...options,
    name: "home",
    port: ports.home,
    link: links.home,
    redis: redis[0],
    peer: { cluster: "far", url: `${scheme}://127.0.0.1:${links.far.port}`, agents: options.remote },
    master: null,
  });
  const far = openCluster(team, {
    ...options,
    name: "far",
    port: ports.far,
    link: links.far,
    redis: redis[1],
    peer: { cluster: "home", url: `${scheme}://127.0.0.1:${links.home.port}`, agents: here },
    master: home.system.master,
  });
  return { home, far };
}

function openCluster(
  team: Team,
  of: {
    readonly name: string;
    readonly port: number;
    readonly link: TcpProxy;
    readonly redis: OwnRedis;
    readonly peer: { readonly cluster: string; readonly url: string; readonly agents: readonly string[] };
    /** The home's, from which the far side is given what crosses; null at home. */
    readonly master: string | null;
    readonly store?: Partial<StoreOptions>;
    readonly config?: Partial<BridgeConfig>;
  },
): TestCluster {
  const { name, redis, link, peer } = of;
  const system = createTestSystem(team, { store: { url: redis.url, ...of.store } });
  const keyring =
    of.master === null
      ? system.keyring
      : farKeys({ team, master: of.master, own: system.master, elsewhere: peer.agents });
  const config = {
    peers: [{ ...peer, secrets: [new Secret(SECRET)] }],
    host: "127.0.0.1",
    port: of.port,
    statusPort: 0,
    tls: null,
    window: 16,
    requestMs: 1000,
    retryMsMax: 500,
    memoryHours: 168,
    returnLimit: 10_000,
    ...of.config,
    cluster: name,
  };
  return {
    name,
    redis,
    system,
    keyring,
    link,
    config,
    async startBridge(more = {}) {
      const bridge = await startBridge(
        {
          config,
          store: system.store,
          keyring,
          teams: [team],
          logger: pino({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" }),
          metrics: new Metrics(),
          limits: {
            ...RUNTIME_LIMITS_DEFAULT,
            retry: { ...RETRY_POLICY_DEFAULT, delayMs: 50, delayMsMax: 300 },
          },
          lockMs: 2000,
          stalledIntervalMs: 500,
          storeIsFull: NEVER,
          wardIsFull: NEVER,
          markLifeMs: 3_600_000,
          ...more,
        },
        { triesMs: 1500 },
      );
      onTestFinished(() => bridge.stop(0));
      return bridge;
    },
    async lost() {
      const hasCase = async (messageId: string): Promise<boolean> => {
        const found = await findCases(system.store, { filter: {}, limit: 100 });
        return found.cases.some(({ message_id }) => message_id === messageId);
      };
      return (await auditRuns(system.store, hasCase)).lost;
    },
  };
}

/** From the home's master the edges that cross, from its own the edges to its ward; nothing of the home's own. */
function farKeys(of: {
  readonly team: Team;
  readonly master: string;
  readonly own: string;
  readonly elsewhere: readonly string[];
}): Keyring {
  const edges = edgesOf([of.team]);
  const local = edges.filter(({ to }) => to === "ward");
  const crossing = edges.filter(
    ({ from, to }) =>
      to !== "ward" && !(of.elsewhere.includes(from) && of.elsewhere.includes(to)) && !isHomesOwn(from, to),
  );
  const agents = [...of.team.agents.keys(), "gateway", "surgeon", "ward"];
  return Keyring.merge(
    agents.flatMap((agent) => [
      issueKeyring({ master: of.master, agent, edges: crossing }),
      issueKeyring({ master: of.own, agent, edges: local }),
    ]),
  );

  function isHomesOwn(from: string, to: string): boolean {
    return ["gateway", "surgeon"].includes(from) && of.elsewhere.includes(to);
  }
}
