import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { randomHex, sleep } from "#shared/clock";
import { createMaster, issueKeyring, Keyring } from "#shared/envelope";
import { edgesOf, loadTeams } from "#shared/runtime";
import { Store } from "#shared/store";
import { admitCase } from "#shared/ward";
import { chooseFreePort } from "../../infra/redis/redis-process.ts";
import { ChaosRedis } from "./chaos-redis.ts";
import { BLOCK_MS } from "./fault-plan.ts";
import type { LinkName, ServiceName } from "./fault-plan.ts";
import { ServiceProcess } from "./service-process.ts";
import { TcpProxy } from "./tcp-proxy.ts";

/** A lock's life and the stall check of the processes under test, in ms: what recovery from a death takes. */
export const LOCK_MS = 1500;
export const STALLED_INTERVAL_MS = 500;

const MODEL_TIMEOUT_MS = 2000;
const READY_WITHIN_MS = 40_000;
const POLL_MS = 50;
const TEAMS_DIR = fileURLToPath(new URL("teams", import.meta.url));
const PROJECT_DIR = fileURLToPath(new URL("../../", import.meta.url));

/** Every real process of one run of the suite, and the ways to trouble them. */
export interface Stage {
  /** Logs, keys and the data of Redis. */
  readonly folder: string;
  readonly redis: ChaosRedis;
  readonly services: Readonly<Record<ServiceName, ServiceProcess>>;
  readonly links: Readonly<Record<LinkName, TcpProxy>>;
  /** Straight to Redis, past every proxy: for looking, and for its memory limit. */
  readonly store: Store;
  /** The gateway as clients see it. */
  readonly gatewayUrl: string;
  readonly secret: string;
  readonly outsideLog: string;
  readonly serviceLogs: readonly string[];
  /** Switches the troubles of the model's endpoint. */
  trouble(isOn: boolean): Promise<void>;
  /** Ends everything; removes the folder unless its contents are still wanted. */
  close(options: { readonly isKept: boolean }): Promise<void>;
}

/** Starts everything and waits until it works. @param seed - Decides what the outside world does. */
export async function openStage(seed: number): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "suture-chaos-"));
  mkdirSync(join(folder, "logs"));
  const redis = await ChaosRedis.open(folder);
  const ports = { gateway: await chooseFreePort(null), outside: await chooseFreePort(null) };
  const links = await openLinks({ ...ports, redis: redis.port });
  const secret = `chaos-${randomHex(16)}`;
  const keyFiles = await writeKeys(folder);
  const outsideLog = join(folder, "outside.jsonl");
  const logOf = (name: string): string => join(folder, "logs", `${name}.log`);
  const outside = new ServiceProcess({
    args: [script("tests/chaos/processes/outside.ts"), String(ports.outside), outsideLog, String(seed)],
    env: {},
    logFile: logOf("outside"),
  });
  const service = (name: ServiceName, more: { args: string[]; env?: Record<string, string> }) =>
    new ServiceProcess({
      args: more.args,
      logFile: logOf(name),
      env: {
        ...environmentOf({ folder, links, name, ports }),
        SUTURE_KEYS: `@${keyFiles[name]}`,
        ...more.env,
      },
    });
  const agentsArgs = [
    "--import",
    script("tests/chaos/processes/obey-signals.ts"),
    script("services/agents/main.ts"),
  ];
  const services = {
    "agents-1": service("agents-1", { args: agentsArgs }),
    "agents-2": service("agents-2", { args: agentsArgs }),
    gateway: service("gateway", {
      args: [script("services/gateway/main.ts")],
      env: { SUTURE_API_KEYS: `chaos:admin:${secret}` },
    }),
    surgeon: service("surgeon", { args: [script("services/surgeon/main.ts")] }),
  };
  const all = [outside, ...Object.values(services)];
  const abandon = (): void => {
    for (const one of all) one.abandon();
    redis.signal("SIGKILL");
  };
  process.once("exit", abandon);
  for (const one of all) one.start();
  const store = openStore(redis.url);
  const outsideUrl = `http://127.0.0.1:${ports.outside}`;
  const stage: Stage = {
    folder,
    redis,
    services,
    links,
    store,
    gatewayUrl: `http://127.0.0.1:${links["client-gateway"].port}`,
    secret,
    outsideLog,
    serviceLogs: Object.keys(services).map(logOf),
    async trouble(isOn) {
      await fetch(`${outsideUrl}/troubles`, { method: "POST", body: isOn ? "on" : "off" });
    },
    async close({ isKept }) {
      await Promise.all(all.map((one) => one.stop()));
      await store.close();
      for (const link of Object.values(links)) link.close();
      await redis.stop();
      process.off("exit", abandon);
      if (!isKept) rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await waitUntilWorking(stage, outsideUrl);
    return stage;
  } catch (error) {
    await stage.close({ isKept: true });
    throw error;
  }
}

function script(path: string): string {
  return join(PROJECT_DIR, path);
}

interface Ports {
  readonly gateway: number;
  readonly outside: number;
  readonly redis: number;
}

async function openLinks(ports: Ports): Promise<Record<LinkName, TcpProxy>> {
  const [client, gateway, agents1, agents2, surgeon, outside] = await Promise.all([
    TcpProxy.open(ports.gateway),
    TcpProxy.open(ports.redis),
    TcpProxy.open(ports.redis),
    TcpProxy.open(ports.redis),
    TcpProxy.open(ports.redis),
    TcpProxy.open(ports.outside),
  ]);
  return {
    "client-gateway": client,
    "gateway-redis": gateway,
    "agents-1-redis": agents1,
    "agents-2-redis": agents2,
    "surgeon-redis": surgeon,
    "agents-outside": outside,
  };
}

/** Each process gets the keys of its own edges and no others, as `suture keys` issues them. */
async function writeKeys(folder: string): Promise<Record<ServiceName, string>> {
  const teams = await loadTeams(TEAMS_DIR);
  const master = createMaster();
  const edges = edgesOf(teams);
  const write = (name: string, agents: readonly string[]): string => {
    const file = join(folder, `${name}.keys.json`);
    const keyring = Keyring.merge(agents.map((agent) => issueKeyring({ master, agent, edges })));
    writeFileSync(file, keyring.exportJson(), { mode: 0o600 });
    return file;
  };
  const agents = write(
    "agents",
    teams.flatMap((team) => [...team.agents.keys()]),
  );
  return {
    "agents-1": agents,
    "agents-2": agents,
    gateway: write("gateway", ["gateway"]),
    surgeon: write("surgeon", ["surgeon", "ward"]),
  };
}

function environmentOf(own: {
  readonly folder: string;
  readonly links: Readonly<Record<LinkName, TcpProxy>>;
  readonly name: ServiceName;
  readonly ports: { readonly gateway: number };
}): Record<string, string> {
  const outside = `http://127.0.0.1:${own.links["agents-outside"].port}`;
  return {
    PATH: process.env["PATH"] ?? "",
    REDIS_URL: `redis://127.0.0.1:${own.links[`${own.name}-redis`].port}`,
    SUTURE_TEAMS: TEAMS_DIR,
    SUTURE_PREFIX: "chaos",
    SUTURE_DATA_DIR: join(own.folder, own.name),
    SUTURE_GATEWAY_PORT: String(own.ports.gateway),
    SUTURE_SANDBOX_URL: outside,
    OPENAI_BASE_URL: `${outside}/v1`,
    OPENAI_API_KEY: "sk-chaos-0123456789abcdef",
    SUTURE_MODEL_TIMEOUT_MS: String(MODEL_TIMEOUT_MS),
    SUTURE_LOCK_MS: String(LOCK_MS),
    SUTURE_STALLED_INTERVAL_MS: String(STALLED_INTERVAL_MS),
    SUTURE_RETRY_DELAY_MS: "100",
    SUTURE_RETRY_DELAY_MS_MAX: "1000",
    // A plain task must come through however often it was at hand when a process died.
    SUTURE_CRASHES_MAX: "100",
    SUTURE_STOP_GRACE_MS: "500",
    CHAOS_BLOCK_MS: String(BLOCK_MS),
    LOG_LEVEL: "warn",
  };
}

function openStore(url: string): Store {
  return new Store({
    url,
    prefix: "chaos",
    role: "worker",
    retentionMs: 48 * 3_600_000,
    ledgerLifeMs: 24 * 3_600_000,
    onError: () => undefined,
    admit: admitCase,
  });
}

async function waitUntilWorking(stage: Stage, outsideUrl: string): Promise<void> {
  const signal = AbortSignal.timeout(READY_WITHIN_MS);
  await Promise.all([
    waitForHttp(`${stage.gatewayUrl}/readyz`, signal),
    waitForHttp(`${outsideUrl}/healthz`, signal),
  ]);
  const processes = new Set<number>();
  while (processes.size < 2) {
    for (const presence of await stage.store.registry.live()) processes.add(presence.pid);
    await sleep(POLL_MS, signal);
  }
}

async function waitForHttp(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const isReady = await fetch(url, { signal }).then(
      (reply) => reply.ok,
      () => false,
    );
    if (isReady) return;
    await sleep(POLL_MS, signal);
  }
}
