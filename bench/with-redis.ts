import { Redis } from "ioredis";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScratchRedis } from "../infra/redis/scratch-redis.ts";

const LINK_WITHIN_MS = 30_000;
const POLL_MS = 50;

/** Policy of the append-only file: `always` is that of `SUTURE_REDIS_DURABILITY=durable`. */
export type Fsync = "everysec" | "always";

/** Starts a Redis for one benchmark, in a folder that is removed afterwards. */
export async function withRedis<Result>(
  fsync: Fsync,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const redis = await startScratchRedis(join(tmpdir(), "suture-redis-server"), fsync);
  return stopOnInterrupt(
    () => redis.stop(),
    () => use(redis.url),
  );
}

/** Starts a primary and its replica, each with its own append-only file; `use` gets the primary. */
export function withReplicatedRedis<Result>(use: (url: string) => Promise<Result>): Promise<Result> {
  return withRedis("everysec", (primary) =>
    withRedis("everysec", async (replica) => {
      await follow(replica, primary);
      return use(primary);
    }),
  );
}

async function follow(replica: string, primary: string): Promise<void> {
  const { hostname, port, password } = new URL(primary);
  const client = new Redis(replica);
  try {
    await client.config("SET", "masterauth", password);
    await client.replicaof(hostname, port);
    const deadline = performance.now() + LINK_WITHIN_MS;
    while (performance.now() < deadline) {
      if ((await client.info("replication")).includes("master_link_status:up")) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    client.disconnect();
  }
  throw new Error(`the replica did not follow within ${LINK_WITHIN_MS} ms`);
}

const INTERRUPTED_EXIT_CODE = 130;

/** Ways to stop what is lent at this moment. */
const stops = new Set<() => Promise<void>>();

/** Uses a server and stops it, also when the benchmark is interrupted. @param stop - Safe to call twice. */
export async function stopOnInterrupt<Result>(
  stop: () => Promise<void>,
  use: () => Promise<Result>,
): Promise<Result> {
  if (stops.size === 0) listen();
  stops.add(stop);
  try {
    return await use();
  } finally {
    stops.delete(stop);
    if (stops.size === 0) unlisten();
    await stop();
  }
}

const onInterrupt = (): void => {
  const all = [...stops].map((stop) => stop());
  void Promise.allSettled(all).finally(() => process.exit(INTERRUPTED_EXIT_CODE));
};

function listen(): void {
  process.once("SIGINT", onInterrupt);
  process.once("SIGTERM", onInterrupt);
}

function unlisten(): void {
  process.off("SIGINT", onInterrupt);
  process.off("SIGTERM", onInterrupt);
}
