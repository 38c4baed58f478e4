import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOnPath } from "../../infra/redis/obtain-redis-server.ts";
import { chooseFreePort } from "../../infra/redis/redis-process.ts";
import { stopOnInterrupt } from "../with-redis.ts";
import { countTreeCpu } from "./process-cpu.ts";
import type { Server } from "./server.ts";

/** Folder in which distributions keep the programs that are not on the PATH. */
const PACKAGED = "/usr/lib/postgresql";
const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 20_000;
const POLL_MS = 100;

/** Each commit is synced before it is confirmed, as is the default; only memory is larger. */
const SETTINGS = [
  "shared_buffers=1GB",
  "max_wal_size=4GB",
  "listen_addresses=127.0.0.1",
  "max_connections=120",
];

/** The folder of PostgreSQL's programs; null where it is not installed. */
export function findPostgres(): string | null {
  const initdb = findOnPath("initdb");
  if (initdb !== null && findOnPath("postgres") !== null) return join(initdb, "..");
  try {
    const versions = readdirSync(PACKAGED).toSorted((a, b) => Number(b) - Number(a));
    return versions[0] === undefined ? null : join(PACKAGED, versions[0], "bin");
  } catch {
    return null;
  }
}

/** Lends a PostgreSQL of its own, in a folder that is removed afterwards. It never runs as root, which it refuses. */
export async function withPostgres<Result>(
  programs: string,
  use: (server: Server) => Promise<Result>,
): Promise<Result> {
  const dir = mkdtempSync(join(tmpdir(), "suture-bench-postgres-"));
  const user = process.getuid?.() === 0 ? findUser() : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(dir, user.uid, user.gid);
  const data = join(dir, "data");
  const start = (program: string, args: readonly string[]): ChildProcess =>
    spawn(join(programs, program), args, { ...user, cwd: dir, stdio: "ignore", env: { LC_ALL: "C" } });
  const initialised = start("initdb", ["-D", data, "-U", "bench", "-A", "trust", "-E", "UTF8"]);
  const [code] = await once(initialised, "exit");
  if (code !== 0) throw new Error(`initdb ended with ${String(code)}`);
  const port = await chooseFreePort(null);
  const settings = [...SETTINGS, `port=${port}`, `unix_socket_directories=${dir}`];
  const postgres = start("postgres", ["-D", data, ...settings.flatMap((setting) => ["-c", setting])]);
  const stop = async (): Promise<void> => {
    await end(postgres);
    rmSync(dir, { recursive: true, force: true });
  };
  return stopOnInterrupt(stop, async () => {
    await waitUntilListening(port, postgres);
    const url = `postgresql://bench@127.0.0.1:${port}/postgres`;
    return use({ url, prefix: "bench", count: countTreeCpu(postgres) });
  });
}

function findUser(): { readonly uid?: number; readonly gid?: number } {
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const user = ["postgres", "nobody"].flatMap((name) => users.filter((fields) => fields[0] === name))[0];
  if (user === undefined) throw new Error("there is no user that PostgreSQL could run as");
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/** Waits until a connection is taken. The program's own first clients wait for the rest of its start. */
export async function waitUntilListening(port: number, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode} while starting`);
    if (await takesConnections(port)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`the server did not listen within ${READY_WITHIN_MS} ms`);
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
}

/** Ends a server that closes its clients' connections when it is interrupted. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGINT");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  await exited;
  clearTimeout(timer);
}
