import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Redis } from "ioredis";
import { obtainRedisServer } from "../../../infra/redis/obtain-redis-server.ts";
import { chooseFreePort, spawnRedis, waitUntilAnswering } from "../../../infra/redis/redis-process.ts";
import type { RedisProcess } from "../../../infra/redis/redis-process.ts";
import { waitUntil } from "../ask-until-answered.ts";
import { remember } from "../service-process.ts";

const READY_WITHIN_MS = 30_000;
/** Room that is left on a full disk, in bytes. */
const DISK_LEFT_BYTES = 512;
/** Its admin commands: it may be dead or frozen just now. */
const COMMAND_WITHIN_MS = 5000;
const run = promisify(execFile);

export interface RedisNodeOptions {
  /** Holds its data and its log. */
  readonly dir: string;
  readonly fsync: "always" | "everysec";
  /** Further settings, as arguments of the server. */
  readonly settings?: readonly string[];
}

/** One Redis server under test: with an append-only file, in a folder and on a port that it keeps through deaths. */
export class RedisNode {
  readonly port: number;
  /** Straight to this server, past every proxy. Fails fast while it is away. */
  readonly admin: Redis;
  readonly #dir: string;
  readonly #spawn: () => Promise<RedisProcess>;
  #process: RedisProcess | null = null;

  private constructor(options: RedisNodeOptions & { readonly port: number; readonly command: string }) {
    const { port, dir, fsync, command } = options;
    this.port = port;
    this.#dir = dir;
    this.#spawn = () => spawnRedis({ server: { command, env: {} }, dir, port, fsync, isDetached: false });
    this.admin = new Redis({
      port,
      host: "127.0.0.1",
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      commandTimeout: COMMAND_WITHIN_MS,
      retryStrategy: () => 100,
    });
    this.admin.on("error", () => undefined);
  }

  static async open(options: RedisNodeOptions): Promise<RedisNode> {
    const { dir, settings = [] } = options;
    const port = await chooseFreePort(null);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const server = await obtainRedisServer({
      say: (line) => process.stderr.write(`${line}\n`),
      fallbackDir: join(".suture", "redis-server"),
    });
    const command = join(dir, "start.sh");
    const settingText = settings.map((one) => ` '${one}'`).join("");
    const environment = Object.entries(server.env).map(([name, value]) => `export ${name}='${value}'\n`);
    // Without the trap a file that may not grow would end the server by a signal, which no full disk does.
    writeFileSync(
      command,
      `#!/bin/sh\ntrap '' XFSZ\n${environment.join("")}exec '${server.command}' "$@"${settingText}\n`,
    );
    chmodSync(command, 0o700);
    const node = new RedisNode({ ...options, port, command });
    await node.start();
    return node;
  }

  get isAlive(): boolean {
    const child = this.#process?.child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** Starts it on its port with its data, and waits until it has loaded them. */
  async start(): Promise<void> {
    this.#process = await this.#spawn();
    remember(this.#process.child);
    if (!(await waitUntilAnswering(this.port, () => !this.isAlive, AbortSignal.timeout(READY_WITHIN_MS)))) {
      throw new Error("The Redis under test ended while it started.");
    }
  }

  signal(name: NodeJS.Signals): boolean {
    return this.#process?.child.kill(name) === true;
  }

  /** Waits 10 s at most until the kernel has what it acknowledged: with an fsync each second it may hold back 2 s. */
  async untilWritten(): Promise<void> {
    await waitUntil(async () => {
      const info = await this.admin.info("persistence").catch(() => "");
      return /aof_pending_bio_fsync:0\b/.test(info) && /aof_buffer_length:0\b/.test(info);
    }, 10_000);
  }

  /** @returns whether the signal ended it. */
  async kill(): Promise<boolean> {
    this.#process?.child.kill("SIGKILL");
    return (await this.#process?.ended)?.signal === "SIGKILL";
  }

  async stop(): Promise<void> {
    this.admin.disconnect();
    if (!this.isAlive) return;
    this.signal("SIGCONT");
    this.signal("SIGKILL");
    await this.#process?.ended;
  }

  /** No file of it grows beyond a few bytes from now on, as on a full disk. */
  async fillDisk(): Promise<void> {
    const files = readdirSync(join(this.#dir, "appendonlydir")).filter((name) => name.endsWith(".aof"));
    const sizes = files.map((name) => statSync(join(this.#dir, "appendonlydir", name)).size);
    await this.#limitFiles(String(Math.max(...sizes) + DISK_LEFT_BYTES));
  }

  /** The disk has room again, and the file is written anew, as docs/operating/redis.md says. */
  async enlargeDisk(): Promise<void> {
    if (!this.isAlive) return;
    await this.#limitFiles("unlimited");
    let isOrdered = false;
    await waitUntil(async () => {
      const info = await this.admin.info("persistence").catch(() => "");
      const isIdle = /aof_rewrite_in_progress:0[^]*aof_rewrite_scheduled:0/.test(info);
      if (isOrdered && isIdle) return true;
      if (isIdle && info.includes("aof_last_write_status:ok"))
        isOrdered = await this.admin.bgrewriteaof().then(Boolean, () => false);
      return false;
    }, READY_WITHIN_MS);
  }

  /** Commands it refused since it was started, because of this error's name. 0 when it cannot say. */
  async refusals(reply: "OOM" | "MISCONF"): Promise<number> {
    const stats = await this.admin.info("errorstats").catch(() => "");
    return Number(new RegExp(`errorstat_${reply}:count=(\\d+)`).exec(stats)?.[1] ?? "0");
  }

  /** Waits until it answers a condition on its replication, for 10 s at most. @returns whether it came. */
  async waitForReplication(wanted: RegExp): Promise<boolean> {
    return waitUntil(async () => wanted.test(await this.admin.info("replication").catch(() => "")), 10_000);
  }

  async #limitFiles(softBytes: string): Promise<void> {
    await run("prlimit", [`--pid=${this.#process?.pid ?? 0}`, `--fsize=${softBytes}:unlimited`]);
  }
}
