import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPrivateRedis } from "../infra/redis/private-redis.ts";

/** Lends a Redis of its own to one benchmark: synced each second, in a folder that is removed afterwards. */
export async function withRedis<Result>(
  say: (line: string) => void,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), "suture-bench-"));
  const redis = await startPrivateRedis({ dataDir, durability: "fast", say });
  try {
    return await use(redis.url);
  } finally {
    await redis.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
