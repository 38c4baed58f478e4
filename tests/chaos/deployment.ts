import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { randomHex, sleep } from "#shared/clock";
import type { Keyring } from "#shared/envelope/keys";
import { Store } from "#shared/store";
import { chooseFreePort } from "../../infra/redis/redis-process.ts";
import { createServices, scriptAt, TEAMS_DIR, writeKeys } from "./launch-services.ts";
import { Links } from "./links.ts";
import type { ModelOutage, ServiceName } from "./plan/faults.ts";
import type { Chapter } from "./plan/chapters.ts";
import { openRedis } from "./redis/open-redis.ts";
import type { RedisUnderTest } from "./redis/open-redis.ts";
import { ServiceProcess } from "./service-process.ts";
import type { Launch } from "./service-process.ts";
import type { TaskSource } from "./task.ts";

const READY_WITHIN_MS = 120_000;
const POLL_MS = 50;

const outageAnswer = z.object({ calls: z.int() });

/** Every real process of one run of the suite, and the ways to trouble them. */
export interface Deployment {
  /** Logs, keys and the data of Redis. */
  readonly folder: string;
  readonly redis: RedisUnderTest;
  readonly services: Readonly<Record<ServiceName, ServiceProcess>>;
  readonly links: Links;
  /** By a way of its own, for looking and for putting things into queues. */
  readonly store: Store;
  /** Every key of the run. */
  readonly keyring: Keyring;
  /** The gateway as clients see it. */
  readonly gatewayUrl: string;
  readonly secret: string;
  readonly outsideLog: string;
  readonly serviceLogs: readonly string[];
  /** Takes the model's endpoint away for everybody, or gives it back (null). @returns calls that met such an outage. */
  outage(how: ModelOutage | null): Promise<number>;
  /** Switches the troubles of the model's endpoint. */
  trouble(isOn: boolean): Promise<void>;
  /** Ends everything; removes the folder unless its contents are still wanted. */
  close(options: { readonly isKept: boolean }): Promise<void>;
}

/**
 * Starts everything and waits until it works.
 * @param source - Decides what the outside world does.
 * @param launchAs - Starts the services in another way, as another release. Default: as they are.
 */
export async function openDeployment(
  chapter: Chapter,
  source: TaskSource,
  launchAs = (launch: Launch): Launch => launch,
): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), "suture-chaos-"));
  mkdirSync(join(folder, "logs"));
  const redis = await openRedis({
    folder,
    topology: chapter.topology,
    fsync: chapter.durability === "durable" ? "always" : "everysec",
  });
  const ports = { gateway: await chooseFreePort(null), outside: await chooseFreePort(null) };
  const links = await Links.open(redis, ports);
  const secret = `chaos-${randomHex(16)}`;
  const keys = await writeKeys(folder, TEAMS_DIR);
  const outsideLog = join(folder, "outside.jsonl");
  const outside = new ServiceProcess({
    args: [
      scriptAt("tests/chaos/processes/outside.ts"),
      JSON.stringify({ port: ports.outside, logFile: outsideLog, source }),
    ],
    env: {},
    logFile: join(folder, "logs", "outside.log"),
  });
  const services = createServices({ folder, chapter, links, keys, secret, gatewayPort: ports.gateway });
  for (const service of Object.values(services)) service.launch = launchAs(service.launch);
  const all = [outside, ...Object.values(services)];
  const abandon = (): void => {
    for (const one of all) one.abandon();
    for (const node of redis.nodes) node.signal("SIGKILL");
  };
  process.once("exit", abandon);
  for (const one of all) one.start();
  const store = openStore(links.redisUrlsOf("checker", chapter.topology));
  const outsideUrl = `http://127.0.0.1:${ports.outside}`;
  const deployment: Deployment = {
    folder,
    redis,
    services,
    links,
    store,
    keyring: keys.keyring,
    gatewayUrl: `http://127.0.0.1:${links.get("client-gateway").port}`,
    secret,
    outsideLog,
    serviceLogs: Object.keys(services).map((name) => join(folder, "logs", `${name}.log`)),
    async outage(how) {
      const reply = await fetch(`${outsideUrl}/outage`, { method: "POST", body: how ?? "" });
      return outageAnswer.parse(await reply.json()).calls;
    },
    async trouble(isOn) {
      await fetch(`${outsideUrl}/troubles`, { method: "POST", body: isOn ? "on" : "off" });
    },
    async close({ isKept }) {
      await Promise.all(all.map((one) => one.stop()));
      await store.close();
      links.close();
      await Promise.all(redis.nodes.map((node) => node.stop()));
      process.off("exit", abandon);
      if (!isKept) rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await waitUntilWorking(deployment, outsideUrl);
    return deployment;
  } catch (error) {
    await deployment.close({ isKept: true });
    throw new Error(`The deployment did not start; its logs are in ${folder}.`, { cause: error });
  }
}

function openStore(shardUrls: readonly string[]): Store {
  return new Store({
    url: shardUrls[0] ?? "",
    shardUrls,
    prefix: "chaos",
    role: "worker",
    retentionMs: 48 * 3_600_000,
    ledgerLifeMs: 24 * 3_600_000,
    onError: () => undefined,
  });
}

async function waitUntilWorking(deployment: Deployment, outsideUrl: string): Promise<void> {
  const signal = AbortSignal.timeout(READY_WITHIN_MS);
  for (const url of [`${deployment.gatewayUrl}/readyz`, `${outsideUrl}/healthz`])
    while (!(await fetch(url, { signal }).catch(() => null))?.ok) await sleep(POLL_MS, signal);
  const processes = new Set<number>();
  while (processes.size < 2) {
    for (const presence of await deployment.store.registry.live()) processes.add(presence.pid);
    await sleep(POLL_MS, signal);
  }
}
