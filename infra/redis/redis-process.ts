import { randomInt } from "node:crypto";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { connect as connectTls } from "node:tls";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { now, sleep } from "#shared/clock";
import { isSameProcess } from "../lock-folder.mjs";
import { RedisStartError } from "./errors.ts";
import type { RedisServer } from "./obtain-redis-server.ts";
import { narrowBelow, openPrivateFolder } from "./private-redis-state.ts";

export const REDIS_CONF = fileURLToPath(new URL("redis.conf", import.meta.url));

/** Address and login of a Redis. */
export interface RedisDoor {
  /** Socket path. Empty: use the port. */
  readonly socket: string;
  /** Default: the loopback. */
  readonly host?: string;
  /** Default: none, where there is a socket. */
  readonly port?: number;
  /** By TLS, whatever the certificate. Default: no. */
  readonly isTls?: boolean;
  /** Letters and digits. Empty: none. */
  readonly password: string;
  /** Whom the password lets in. Default: the default user. */
  readonly user?: string;
}

interface RedisProcessOptions {
  readonly server: RedisServer;
  /** Absolute folder of the data and of `redis.log`. Created when missing; private to this user. */
  readonly dir: string;
  /** Loopback port. Default: none. */
  readonly port?: number;
  /** Path of a private socket. Default: none. */
  readonly socket?: string;
  /** Letters and digits. Default: none. */
  readonly password?: string;
  /** `always`, `everysec`: see redis.conf; `none`: no persistence, for tests. */
  readonly fsync: "always" | "everysec" | "none";
  /** True when it survives an interrupt of our process group (Ctrl+C), so that workers can still settle. */
  readonly isDetached: boolean;
  /** Further command-line settings. Default: none. */
  readonly settings?: readonly string[];
}

export interface RedisProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Resolves when it has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

const READY_POLL_DELAY_MS = 15;
const ANSWER_TIMEOUT_MS = 3000;
/** Maximum time to load a large append-only file. */
export const READY_TIMEOUT_MS = 120_000;

/** The only environment variables it inherits: the time zone of its log, and its library paths. */
const ENVIRONMENT = ["TZ", "LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "SystemRoot"];

/** Starts the program, without waiting for its answer. @throws {RedisStartError} */
export async function spawnRedis(options: RedisProcessOptions): Promise<RedisProcess> {
  const { server, dir, port = 0, socket = "", fsync, isDetached, settings = [] } = options;
  openPrivateFolder(dir);
  narrowBelow(dir);
  const logFile = join(dir, "redis.log");
  const durability = fsync === "none" ? ["--appendonly", "no"] : ["--appendfsync", fsync];
  const address = ["--bind", "127.0.0.1", "--port", String(port)];
  const door = socket === "" ? [] : ["--unixsocket", socket, "--unixsocketperm", "600"];
  const conf = writeConf(dir, options.password ?? "");
  const args = [conf, ...address, ...door, "--dir", dir, "--logfile", logFile, ...durability, ...settings];
  const child = startAlone(server, args, isDetached);
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

/** Writes a copy of redis.conf, which CONFIG REWRITE may change. The password is there: command lines are public. */
function writeConf(dir: string, password: string): string {
  const conf = join(dir, "redis.conf");
  const text = readFileSync(REDIS_CONF, "utf8");
  rmSync(conf, { force: true });
  writeFileSync(conf, password === "" ? text : `${text}\nrequirepass ${password}\n`, { mode: 0o600 });
  return conf;
}

/** Without our environment, and with a umask under which what it writes is its owner's alone. */
function startAlone(server: RedisServer, args: readonly string[], isDetached: boolean): ChildProcess {
  const known = ENVIRONMENT.map((name) => [name, process.env[name]] as const);
  const env = { ...Object.fromEntries(known.filter(([, value]) => value !== undefined)), ...server.env };
  const umask = process.umask(0o077);
  try {
    return spawn(server.command, args, { env, stdio: "ignore", detached: isDetached });
  } finally {
    process.umask(umask);
  }
}

/** Waits until Redis answers a ping; false if `isOver()` says that it never will. @param at - Or its port alone. */
export async function waitUntilAnswering(
  at: RedisDoor | number,
  isOver: () => boolean,
  signal?: AbortSignal,
): Promise<boolean> {
  while (!isOver()) {
    if (await answersPing(at)) return true;
    await sleep(READY_POLL_DELAY_MS, signal);
  }
  return false;
}

/** Asks whether a Redis that has loaded its data answers. @param at - Its address and login, or its port alone. */
export function answersPing(at: RedisDoor | number): Promise<boolean> {
  return askOnce(at, "PING").then((answer) => answer === "+PONG");
}

/** Sends commands on a connection of its own, after the login. @returns The last answer's first line, or a problem. */
export function askOnce(at: RedisDoor | number, ...commands: readonly string[]): Promise<string> {
  const door: RedisDoor = typeof at === "number" ? { socket: "", port: at, password: "" } : at;
  const { socket: path, host = "127.0.0.1", port = 0, isTls = false, password, user = "" } = door;
  const login = password === "" ? [] : [`AUTH ${user === "" ? "" : `${user} `}${password}`];
  const lines = [...login, ...commands];
  return new Promise((resolve) => {
    const to = path === "" ? { host, port } : { path };
    const socket = isTls ? connectTls({ host, port, rejectUnauthorized: false }) : connect(to);
    let text = "";
    const finish = (answer: string): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => finish("no answer in time"));
    socket.once("error", (error) => finish(error.message));
    socket.once("close", () => finish("the connection was closed"));
    socket.once(isTls ? "secureConnect" : "connect", () => socket.write(`${lines.join("\r\n")}\r\n`));
    socket.on("data", (data) => {
      text += data.toString("latin1");
      // While it loads its data, Redis answers -LOADING; one without a password complains of AUTH and answers the rest.
      const answers = text.split("\r\n").slice(0, -1);
      if (answers.length >= lines.length) finish(answers[lines.length - 1] ?? "");
    });
  });
}

/** Returns `wanted` if nothing listens there, else a free port, reserved for a minute. @param host - The loopback. */
export async function chooseFreePort(wanted: number | null, host = "127.0.0.1"): Promise<number> {
  let found = wanted === null ? null : await tryPort(host, wanted);
  for (let tries = 0; found === null && tries < TRIES_MAX; tries += 1) {
    const port = randomInt(LISTENING.from, LISTENING.below);
    found = (await reservePort(port)) ? await tryPort(host, port) : null;
  }
  return found ?? (await tryPort(host, 0)) ?? 0;
}

/**
 * Ports below those that systems give to outgoing connections (32,768 and up on Linux): one of those may be taken
 * between its choice and its use. The bus of a Redis Cluster listens 10,000 above, apart from both.
 */
const LISTENING = { from: 11_000, below: 21_000 };
const TRIES_MAX = 20;

/** The port if this process could listen on it now, null if not; 0 asks for any. */
export function tryPort(host: string, port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen({ host, port }, () => {
      // A listening TCP server has an address of this type.
      const { port: taken } = server.address() as AddressInfo;
      server.close(() => resolve(taken));
    });
  });
}

const STOP_TIMEOUT_MS = 15_000;

/** Stops the process after it has saved everything; kills it after a timeout. */
export async function endProcess({ pid, identity }: { pid: number; identity: string }): Promise<void> {
  const killAtMs = now() + STOP_TIMEOUT_MS;
  let isForced = false;
  sendSignal(pid, "SIGTERM");
  while (isSameProcess(identity)) {
    if (!isForced && now() > killAtMs) {
      sendSignal(pid, "SIGKILL");
      isForced = true;
    }
    await sleep(20);
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

/** Reservation of a chosen port, in ms: longer than any of our servers takes from the choice to the first listen. */
const RESERVED_MS = 60_000;

/**
 * Reserves a port among our processes until this one ends or a minute has passed: servers listen some time after their
 * port is chosen. By an abstract Unix socket; does nothing but on Linux. @returns False where it is reserved.
 */
export function reservePort(port: number): Promise<boolean> {
  if (process.platform !== "linux") return Promise.resolve(true);
  return new Promise((resolve) => {
    const reservation = createServer();
    reservation.once("error", () => resolve(false));
    reservation.listen({ path: `\0suture-port-${port}` }, () => {
      reservation.unref();
      setTimeout(() => reservation.close(), RESERVED_MS).unref();
      resolve(true);
    });
  });
}
