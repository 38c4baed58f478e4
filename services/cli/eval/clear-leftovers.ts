import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isSameProcess } from "../../../infra/lock-folder.mjs";
import { readState } from "../../../infra/redis/private-redis-state.ts";
import { startPrivateRedis } from "../../../infra/redis/private-redis.ts";

/**
 * Takes away what measurements that were killed left behind: their folders, and the Redis that still works there. Those
 * of living commands are left alone.
 *
 * @param folder - The one with a sub-folder for each measurement.
 */
export async function clearLeftovers(folder: string, say: (line: string) => void): Promise<void> {
  const places = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  for (const place of places.filter((entry) => entry.isDirectory())) {
    const dataDir = join(folder, place.name);
    const state = readState(join(dataDir, "redis"));
    // Without a state it may be one that is just being started.
    if (state === null || isSameProcess(state.owner)) continue;
    if (state.redis !== "" && isSameProcess(state.redis)) {
      const redis = await startPrivateRedis({ dataDir, durability: "fast", say });
      await redis.stop();
    }
    rmSync(dataDir, { recursive: true, force: true });
    say("Took away what a measurement that was killed had left behind.");
  }
}
