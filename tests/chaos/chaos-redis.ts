import { join } from "node:path";
import { obtainRedisServer } from "../../infra/redis/obtain-redis-server.ts";
import { chooseFreePort, spawnRedis, waitUntilAnswering } from "../../infra/redis/redis-process.ts";
import type { RedisProcess } from "../../infra/redis/redis-process.ts";

const READY_WITHIN_MS = 30_000;

/** The Redis under test: with an append-only file, in a folder and on a port that it keeps through its deaths. */
export class ChaosRedis {
  readonly port: number;
  readonly #start: () => Promise<RedisProcess>;
  #process: RedisProcess | null = null;

  private constructor(port: number, start: () => Promise<RedisProcess>) {
    this.port = port;
    this.#start = start;
  }

  static async open(folder: string): Promise<ChaosRedis> {
    const server = await obtainRedisServer({
      say: (line) => process.stderr.write(`${line}\n`),
      fallbackDir: join(".suture", "redis-server"),
    });
    const port = await chooseFreePort(null);
    const dir = join(folder, "redis");
    const redis = new ChaosRedis(port, () =>
      spawnRedis({ server, dir, port, fsync: "everysec", isDetached: false }),
    );
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it on its port with its data, and waits until it has loaded them. */
  async start(): Promise<void> {
    const started = await this.#start();
    this.#process = started;
    const isOver = (): boolean => started.child.exitCode !== null || started.child.signalCode !== null;
    if (!(await waitUntilAnswering(this.port, isOver, AbortSignal.timeout(READY_WITHIN_MS)))) {
      throw new Error("The Redis under test ended while it started.");
    }
  }

  signal(name: NodeJS.Signals): boolean {
    return this.#process?.child.kill(name) === true;
  }

  /** @returns whether the signal ended it. */
  async kill(): Promise<boolean> {
    this.#process?.child.kill("SIGKILL");
    return (await this.#process?.ended)?.signal === "SIGKILL";
  }

  async stop(): Promise<void> {
    if (this.#process === null || this.#process.child.exitCode !== null) return;
    this.signal("SIGCONT");
    this.signal("SIGTERM");
    await this.#process.ended;
  }
}
