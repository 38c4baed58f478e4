import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startScratchRedis } from "./redis/scratch-redis.ts";

/** One real Redis for a whole test run. Test files get its address with `testRedisUrl()` of `#shared/testing`. */
export default async function startTestRedis(project: TestProject): Promise<() => Promise<void>> {
  const redis = await startScratchRedis(join(project.config.root, ".suture", "redis-server"));
  project.provide("redisUrl", redis.url);
  return () => redis.stop();
}
