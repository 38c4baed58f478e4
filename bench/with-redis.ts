import { Redis } from "ioredis";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPrivateRedis } from "../infra/redis/private-redis.ts";

const LINK_WITHIN_MS = 30_000;
const POLL_MS = 50;

export interface RedisNeeds {
  readonly say: (line: string) => void;
  /** `everysec` or, as `SUTURE_REDIS_DURABILITY=durable` starts it, `always`. Default: `fast`. */
  readonly durability?: "fast" | "durable";
}

/** Starts a private Redis for one benchmark, in a folder that is removed afterwards. */
export async function withRedis<Result>(
  { say, durability = "fast" }: RedisNeeds,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), "suture-bench-"));
  // Other checkouts and other queues are measured on it, too: they need not know of sockets.
  const redis = await startPrivateRedis({ dataDir, durability, say, listen: "loopback" });
  return stopOnInterrupt(
    async () => {
      await redis.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
    () => use(redis.url),
  );
}

/** Starts a primary and its replica, each with its own append-only file; `use` gets the primary. */
export function withReplicatedRedis<Result>(
  needs: RedisNeeds,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  return withRedis(needs, (primary) =>
    withRedis(needs, async (replica) => {
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
