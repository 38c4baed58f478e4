import { execFile, spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { sleep } from "#shared/clock";
import { chooseFreePort } from "../../infra/redis/redis-process.ts";

const run = promisify(execFile);

/** A real PostgreSQL of a test's own, on the loopback interface. */
export interface PrivatePostgres {
  /** As a superuser. */
  readonly url: string;
  /** Address for another user of it. */
  readonly urlFor: (user: string, password: string) => string;
  /** Runs statements as the superuser. */
  readonly execute: (sql: string) => Promise<void>;
  /** Ends the server and deletes its files. */
  readonly stop: () => Promise<void>;
}

/** Where distributions put the server's programs, beside the path. */
const DISTRIBUTION_FOLDERS = ["/usr/lib/postgresql", "/usr/pgsql"];
const READY_WITHIN_MS = 30_000;
/** The server refuses to run as root; `nobody` has this id nearly everywhere. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const ADMIN = { user: "suture_test", password: "of-the-test" };

/** Returns the folder of the server's programs; null where PostgreSQL is not installed. */
export function findPostgres(): string | null {
  const versions = DISTRIBUTION_FOLDERS.filter((base) => existsSync(base)).flatMap((base) =>
    readdirSync(base)
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => join(base, version, "bin")),
  );
  const onPath = (process.env["PATH"] ?? "").split(":").filter((folder) => folder !== "");
  const hasAll = (folder: string): boolean =>
    ["initdb", "postgres"].every((name) => existsSync(join(folder, name)));
  return [...versions, ...onPath].find(hasAll) ?? null;
}

/**
 * Starts a PostgreSQL with a database of its own in a temporary folder; as root with the rights of `nobody`. Nothing is
 * written through to the disk.
 *
 * @param bin - As `findPostgres` gives it.
 */
export async function startPrivatePostgres(bin: string): Promise<PrivatePostgres> {
  const rights = process.getuid?.() === 0 ? NOBODY : null;
  const dir = mkdtempSync(join(tmpdir(), "suture-postgres-"));
  const data = join(dir, "data");
  mkdirSync(data, { mode: 0o700 });
  if (rights !== null) for (const path of [dir, data]) chownSync(path, rights.uid, rights.gid);
  const env = { PATH: process.env["PATH"], LC_ALL: "C.UTF-8", TZ: "UTC" };
  const options = { ...rights, env, cwd: dir };
  const initdb = [
    "--pgdata",
    data,
    "--username",
    ADMIN.user,
    "--auth",
    "trust",
    "--encoding",
    "UTF8",
    "--no-sync",
  ];
  await run(join(bin, "initdb"), initdb, options);
  const port = await chooseFreePort(null);
  const settings = [
    "fsync=off",
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    `unix_socket_directories=${dir}`,
  ];
  const args = ["-D", data, ...settings.flatMap((setting) => ["-c", setting])];
  const server = spawn(join(bin, "postgres"), args, { ...options, stdio: "ignore" });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const urlFor = (user: string, password: string): string =>
    `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
  const url = urlFor(ADMIN.user, ADMIN.password);
  const stop = async (): Promise<void> => {
    // A fast shutdown: sessions are ended, not waited for.
    server.kill("SIGINT");
    await ended;
    rmSync(dir, { recursive: true, force: true });
  };
  const execute = (sql: string): Promise<void> => executeOn(url, sql);
  try {
    await waitUntilReady(() => execute("SELECT 1"), ended);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, urlFor, execute, stop };
}

async function executeOn(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function waitUntilReady(ask: () => Promise<void>, ended: Promise<void>): Promise<void> {
  const signal = AbortSignal.timeout(READY_WITHIN_MS);
  let isOver = false;
  void ended.then(() => (isOver = true));
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (isOver || signal.aborted) throw error;
      await sleep(50, signal);
    }
  }
}
