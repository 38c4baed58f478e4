import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { onTestFinished, vi } from "vitest";
import { findRedisServer, obtainRedisServer } from "../../infra/redis/obtain-redis-server.ts";
import { chooseFreePort, spawnRedis, waitUntilAnswering } from "../../infra/redis/redis-process.ts";
import { temporaryFolder } from "#shared/testing";

/** A real server of this test's own, gone when the test is over. */
interface OwnRedis {
  readonly port: number;
  readonly url: string;
  readonly dir: string;
  /** A plain connection as the default user, past every proxy. */
  readonly redis: Redis;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again, on its port and from its files. */
  revive(): Promise<void>;
  /** Stops its process with SIGSTOP: connections stay open and nothing is answered. */
  hang(): void;
  goOn(): void;
}

const ANSWERS_WITHIN_MS = 60_000;

async function findServer() {
  const fallbackDir = join(".suture", "redis-server");
  return (await findRedisServer()) ?? obtainRedisServer({ say: () => undefined, fallbackDir });
}

/** Starts a redis-server on a free port. @param settings - As on its command line. */
export async function startOwnRedis(settings: readonly string[] = []): Promise<OwnRedis> {
  const dir = temporaryFolder();
  const port = await chooseFreePort(null);
  const server = await findServer();
  const start = async () => {
    const process = await spawnRedis({ server, dir, port, fsync: "none", isDetached: false, settings });
    const isOver = (): boolean => process.child.exitCode !== null || process.child.signalCode !== null;
    if (!(await waitUntilAnswering(port, isOver, AbortSignal.timeout(ANSWERS_WITHIN_MS))))
      throw new Error("a Redis of a test did not start");
    return process;
  };
  let started = await start();
  const redis = new Redis({ port, retryStrategy: () => 200 });
  redis.on("error", () => undefined);
  const kill = async (): Promise<void> => {
    started.child.kill("SIGKILL");
    await started.ended;
  };
  onTestFinished(async () => {
    redis.disconnect();
    await kill();
  });
  const revive = async (): Promise<void> => {
    started = await start();
  };
  const hang = (): void => void started.child.kill("SIGSTOP");
  const goOn = (): void => void started.child.kill("SIGCONT");
  return { port, url: `redis://127.0.0.1:${port}`, dir, redis, kill, revive, hang, goOn };
}

/** A replica of the server on that port, which may be a proxy's. Resolves when it has caught up. */
export async function startReplica(masterPort: number): Promise<OwnRedis> {
  const replica = await startOwnRedis(["--replicaof", "127.0.0.1", String(masterPort)]);
  await untilTrue(async () => (await replica.redis.info("replication")).includes("master_link_status:up"));
  return replica;
}

/** A sentinel, which is the same program, that watches a master and decides alone. @returns its port. */
export async function startSentinel(masterPort: number): Promise<number> {
  const dir = temporaryFolder();
  const port = await chooseFreePort(null);
  const conf = join(dir, "sentinel.conf");
  const lines = [
    `port ${port}`,
    "bind 127.0.0.1",
    `dir ${dir}`,
    `sentinel monitor mymaster 127.0.0.1 ${masterPort} 1`,
    "sentinel down-after-milliseconds mymaster 1000",
    "sentinel failover-timeout mymaster 5000",
  ];
  writeFileSync(conf, `${lines.join("\n")}\n`);
  const { command, env } = await findServer();
  const child = spawn(command, [conf, "--sentinel"], { env: { ...process.env, ...env }, stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const isOver = (): boolean => child.exitCode !== null;
  if (!(await waitUntilAnswering(port, isOver, AbortSignal.timeout(ANSWERS_WITHIN_MS))))
    throw new Error("a sentinel did not start");
  return port;
}

/** Looks again and again. Gives up after a minute, with the last error if there was one. */
export async function untilTrue(look: () => Promise<boolean>): Promise<void> {
  await vi.waitFor(
    async () => {
      if (!(await look())) throw new Error("it never came true");
    },
    { timeout: ANSWERS_WITHIN_MS, interval: 25 },
  );
}

export const SLOTS = 16_384;

/** Starts a cluster of two masters that share the slots half and half. Gone when the test is over. */
export async function openCluster() {
  const settings = ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000"];
  const [low, high] = [await startOwnRedis(settings), await startOwnRedis(settings)];
  await low.redis.call("CLUSTER", "ADDSLOTSRANGE", "0", String(SLOTS / 2 - 1));
  await high.redis.call("CLUSTER", "ADDSLOTSRANGE", String(SLOTS / 2), String(SLOTS - 1));
  await low.redis.call("CLUSTER", "MEET", "127.0.0.1", String(high.port));
  for (const { redis } of [low, high]) {
    await untilTrue(async () => {
      const info = String(await redis.call("CLUSTER", "INFO"));
      return info.includes("cluster_state:ok") && info.includes("cluster_known_nodes:2");
    });
  }
  return { low, high, url: `redis-cluster://127.0.0.1:${low.port},127.0.0.1:${high.port}` };
}
