import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, onTestFinished } from "vitest";
import { Secret } from "#shared/config";
import { sleep } from "#shared/clock";

/** Folder in which Debian keeps the programs that are not on the PATH. */
const PACKAGED = "/usr/lib/postgresql";
const READY_MS = 60_000;

/** Returns the folder of PostgreSQL's programs; null where it is not installed. */
function findPrograms(): string | null {
  const packaged = existsSync(PACKAGED)
    ? readdirSync(PACKAGED)
        .toSorted((a, b) => Number(b) - Number(a))
        .map((version) => join(PACKAGED, version, "bin"))
    : [];
  const folders = [...packaged, ...(process.env["PATH"] ?? "").split(":")];
  return (
    folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres"))) ??
    null
  );
}

const programs = findPrograms();

const isSkipped = programs === null && process.env["CI"] !== "true";
if (isSkipped) process.stderr.write("Tests of the archive are skipped: PostgreSQL is not installed.\n");

/** A test on a real PostgreSQL. Skipped where it is not installed, but in CI, where it then fails. */
export const itWithPostgres: ReturnType<typeof it.skipIf> = it.skipIf(isSkipped);

export interface TestPostgres {
  readonly url: Secret;
  /** Kills it as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
}

/** Starts a PostgreSQL of its own on a loopback port; removed when the test has finished. It refuses to run as root. */
export async function startPostgres(): Promise<TestPostgres> {
  if (programs === null) throw new Error("PostgreSQL is not installed: apt-get install postgresql");
  const dir = mkdtempSync(join(tmpdir(), "suture-postgres-"));
  const user: { readonly uid?: number; readonly gid?: number } = process.getuid?.() === 0 ? otherUser() : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(dir, user.uid, user.gid);
  const run = (program: string, ...args: readonly string[]): ChildProcess =>
    spawn(join(programs, program), args, { ...user, cwd: dir, stdio: "ignore", env: { LC_ALL: "C" } });
  const data = join(dir, "data");
  const [code] = await once(run("initdb", "-D", data, "-U", "suture", "-A", "trust", "-E", "UTF8"), "exit");
  if (code !== 0) throw new Error(`initdb ended with ${String(code)}`);
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", `port=${port}`, `unix_socket_directories=${dir}`];
  let postgres: ChildProcess | null = null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (postgres === null || postgres.exitCode !== null || postgres.signalCode !== null) return;
    const exited = once(postgres, "exit");
    postgres.kill(signal);
    await exited;
  };
  const start = async (): Promise<void> => {
    const untilMs = performance.now() + READY_MS;
    do {
      // One whose processes have not all ended after a kill refuses a successor: it is started again.
      if (postgres === null || postgres.exitCode !== null || postgres.signalCode !== null)
        postgres = run("postgres", "-D", data, ...settings.flatMap((setting) => ["-c", setting]));
      if (performance.now() > untilMs) throw new Error("PostgreSQL does not start");
      await sleep(50);
    } while (!(await isReady(dir, port)));
  };
  onTestFinished(async () => {
    await end("SIGQUIT");
    rmSync(dir, { recursive: true, force: true });
  });
  await start();
  return {
    url: new Secret(`postgresql://suture@127.0.0.1:${port}/postgres`),
    kill: () => end("SIGKILL"),
    start,
  };
}

/** As `pg_isready` says: a port that listens may still refuse while it recovers. */
async function isReady(dir: string, port: number): Promise<boolean> {
  const asked = spawn(join(programs ?? "", "pg_isready"), ["-q", "-h", dir, "-p", String(port)], {
    stdio: "ignore",
  });
  const [code] = await once(asked, "exit");
  return code === 0;
}

function otherUser(): { readonly uid: number; readonly gid: number } {
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const user = ["postgres", "nobody"].flatMap((name) => users.filter((fields) => fields[0] === name))[0];
  if (user === undefined) throw new Error("there is no user that PostgreSQL could run as");
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
