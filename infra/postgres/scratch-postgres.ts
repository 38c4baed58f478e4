import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { chooseFreePort } from "../redis/redis-process.ts";

/** Folder in which Debian keeps the programs that are not on the PATH. */
const PACKAGED = "/usr/lib/postgresql";
const READY_MS = 60_000;
const STOP_MS = 20_000;
const POLL_MS = 50;

export interface ScratchPostgres {
  /** Of a database that is empty, with a user who may do everything. */
  readonly url: string;
  /** Of the server, as it runs now. */
  readonly process: ChildProcess;
  /** Kills it as a power cut would. */
  readonly kill: () => Promise<void>;
  /** Starts it again on the same data and port. @throws {Error} It does not answer. */
  readonly start: () => Promise<void>;
  /** Ends it and removes its folder. */
  readonly stop: () => Promise<void>;
}

/** Returns the folder of PostgreSQL's programs, of the newest release; null where it is not installed. */
export function findPostgres(): string | null {
  const versions = existsSync(PACKAGED) ? readdirSync(PACKAGED) : [];
  const packaged = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(PACKAGED, version, "bin"));
  const folders = [...packaged, ...(process.env["PATH"] ?? "").split(delimiter)];
  const isWhole = (folder: string): boolean =>
    ["initdb", "postgres", "pg_isready"].every((name) => existsSync(join(folder, name)));
  return folders.find(isWhole) ?? null;
}

/**
 * Starts a PostgreSQL with a loopback port and a folder of its own. Never as root, which it refuses.
 * @param programs - Folder of its programs. @param settings - `name=value`. Default: its own.
 */
export async function startScratchPostgres(
  programs: string,
  settings: readonly string[] = [],
): Promise<ScratchPostgres> {
  const dir = mkdtempSync(join(tmpdir(), "suture-postgres-"));
  const user: { readonly uid?: number; readonly gid?: number } = process.getuid?.() === 0 ? otherUser() : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(dir, user.uid, user.gid);
  const run = (program: string, ...args: readonly string[]): ChildProcess =>
    spawn(join(programs, program), args, { ...user, cwd: dir, stdio: "ignore", env: { LC_ALL: "C" } });
  const data = join(dir, "data");
  const [code] = await once(run("initdb", "-D", data, "-U", "suture", "-A", "trust", "-E", "UTF8"), "exit");
  if (code !== 0) throw new Error(`initdb ended with ${String(code)}`);
  const port = await chooseFreePort(null);
  const own = ["listen_addresses=127.0.0.1", `port=${port}`, `unix_socket_directories=${dir}`, ...settings];
  const launch = (): ChildProcess => run("postgres", "-D", data, ...own.flatMap((one) => ["-c", one]));
  const isReady = async (): Promise<boolean> => {
    // A port that listens may still refuse while the server recovers.
    const [refused] = await once(run("pg_isready", "-q", "-h", dir, "-p", String(port)), "exit");
    return refused === 0;
  };
  let server = launch();
  const start = async (): Promise<void> => {
    const untilMs = performance.now() + READY_MS;
    while (!(await isReady())) {
      if (performance.now() > untilMs) throw new Error(`PostgreSQL did not start within ${READY_MS} ms`);
      // One whose processes have not all ended after a kill refuses a successor: it is started again.
      if (hasEnded(server)) server = launch();
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  await start();
  return {
    url: `postgresql://suture@127.0.0.1:${port}/postgres`,
    get process() {
      return server;
    },
    kill: () => endPostgres(server, "SIGKILL"),
    start,
    stop: async () => {
      // It closes the connections of its clients.
      await endPostgres(server, "SIGINT");
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function endPostgres(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(server)) return;
  const exited = once(server, "exit");
  server.kill(signal);
  const timer = setTimeout(() => server.kill("SIGKILL"), STOP_MS);
  await exited;
  clearTimeout(timer);
}

function otherUser(): { readonly uid: number; readonly gid: number } {
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const user = ["postgres", "nobody"].flatMap((name) => users.filter((fields) => fields[0] === name))[0];
  if (user === undefined) throw new Error("there is no user that PostgreSQL could run as");
  return { uid: Number(user[2]), gid: Number(user[3]) };
}
