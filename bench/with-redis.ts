import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPrivateRedis } from "../infra/redis/private-redis.ts";

const INTERRUPTED_EXIT_CODE = 130;

/**
 * Lends a Redis of its own to one benchmark: synced each second, in a folder that is removed afterwards. It would
 * outlive an interrupted benchmark, so that an interruption stops it first.
 */
export async function withRedis<Result>(
  say: (line: string) => void,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), "suture-bench-"));
  const redis = await startPrivateRedis({ dataDir, durability: "fast", say });
  const stop = async (): Promise<void> => {
    await redis.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const onInterrupt = (): void => void stop().finally(() => process.exit(INTERRUPTED_EXIT_CODE));
  process.once("SIGINT", onInterrupt);
  process.once("SIGTERM", onInterrupt);
  try {
    return await use(redis.url);
  } finally {
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onInterrupt);
    await stop();
  }
}
