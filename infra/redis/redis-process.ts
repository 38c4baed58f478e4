import { randomInt } from "node:crypto";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sleep } from "#shared/clock";
import { RedisStartError } from "./errors.ts";
import type { RedisServer } from "./find-redis-server.ts";

export const REDIS_CONF = fileURLToPath(new URL("redis.conf", import.meta.url));

export interface RedisProcessOptions {
  readonly server: RedisServer;
  /** Absolute folder of the data and of `redis.log`. Made if absent, readable by this user alone. */
  readonly dir: string;
  readonly port: number;
  /** `always`, `everysec`: see redis.conf; `none`: nothing is kept, for tests. */
  readonly fsync: "always" | "everysec" | "none";
  /** Whether it goes on when our process group is interrupted, as by Ctrl+C, so that workers can still settle. */
  readonly isDetached: boolean;
  /** Further settings, as on its command line. Default: none. */
  readonly settings?: readonly string[];
}

export interface RedisProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Resolves when it has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

const READY_POLL_DELAY_MS = 15;
const PING_TIMEOUT_MS = 1000;
/** Loading a large append-only file takes this long at most. */
export const READY_TIMEOUT_MS = 120_000;

/** Starts the program; does not wait until it answers. @throws {RedisStartError} The program could not be started. */
export async function spawnRedis(options: RedisProcessOptions): Promise<RedisProcess> {
  const { server, dir, port, fsync, isDetached, settings = [] } = options;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const logFile = join(dir, "redis.log");
  const durability = fsync === "none" ? ["--appendonly", "no"] : ["--appendfsync", fsync];
  // A copy: CONFIG REWRITE, which sentinels ask for in a failover, writes into the file that the server was started
  // with.
  const conf = join(dir, "redis.conf");
  copyFileSync(REDIS_CONF, conf);
  const args = [
    conf,
    "--bind",
    "127.0.0.1",
    "--port",
    String(port),
    "--dir",
    dir,
    "--logfile",
    logFile,
    ...durability,
    ...settings,
  ];
  const child = spawn(server.command, args, {
    env: { ...process.env, ...server.env },
    stdio: "ignore",
    detached: isDetached,
  });
  const ended = new Promise<Awaited<RedisProcess["ended"]>>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) =>
      reject(new RedisStartError(`could not be started (${cause.message})`, logFile)),
    );
  });
  // A spawned child has an id.
  return { child, pid: child.pid as number, ended };
}

/** Waits until Redis answers a ping; false if `isOver()` says that it never will. */
export async function waitUntilAnswering(
  port: number,
  isOver: () => boolean,
  signal?: AbortSignal,
): Promise<boolean> {
  while (!isOver()) {
    if (await answersPing(port)) return true;
    await sleep(READY_POLL_DELAY_MS, signal);
  }
  return false;
}

/** Whether a Redis that has loaded its data answers on that port of this machine. */
export function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const finish = (isAnswering: boolean): void => {
      socket.destroy();
      resolve(isAnswering);
    };
    socket.setTimeout(PING_TIMEOUT_MS, () => finish(false));
    socket.once("error", () => finish(false));
    socket.once("connect", () => socket.write("PING\r\n"));
    // While it loads its data, Redis answers -LOADING.
    socket.once("data", (reply) => finish(reply.toString("latin1").startsWith("+PONG")));
  });
}

/** `wanted` if nothing listens there, else any free port of the loopback. */
export async function chooseFreePort(wanted: number | null): Promise<number> {
  let found = wanted === null ? null : await tryPort(wanted);
  for (let tries = 0; found === null && tries < TRIES_MAX; tries += 1)
    found = await tryPort(randomInt(LISTENING.from, LISTENING.below));
  return found ?? (await tryPort(0)) ?? 0;
}

/**
 * Ports below those that systems give to outgoing connections (32,768 and up on Linux): one of those may be taken
 * between its choice and its use. The bus of a Redis Cluster listens 10,000 above, apart from both.
 */
const LISTENING = { from: 11_000, below: 21_000 };
const TRIES_MAX = 20;

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen({ host: "127.0.0.1", port }, () => {
      // A listening TCP server has an address of this type.
      const { port: taken } = server.address() as AddressInfo;
      server.close(() => resolve(taken));
    });
  });
}
