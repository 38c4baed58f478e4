import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { obtainRedisServer } from "./redis/obtain-redis-server.ts";
import { chooseFreePort, spawnRedis, waitUntilAnswering } from "./redis/redis-process.ts";

/**
 * One real Redis for a whole test run: its own port and folder, nothing kept. Test files get its address with
 * `testRedisUrl()` of `#shared/testing`.
 */
export default async function startTestRedis(project: TestProject): Promise<() => Promise<void>> {
  const server = await obtainRedisServer({
    say: (line) => process.stderr.write(`${line}\n`),
    fallbackDir: join(project.config.root, ".suture", "redis-server"),
  });
  const dir = mkdtempSync(join(tmpdir(), "suture-test-redis-"));
  const port = await chooseFreePort(null);
  const started = await spawnRedis({ server, dir, port, fsync: "none", isDetached: false });
  const isOver = (): boolean => started.child.exitCode !== null;
  if (!(await waitUntilAnswering(port, isOver, AbortSignal.timeout(10_000)))) {
    throw new Error(`The Redis for the tests ended while starting; see ${join(dir, "redis.log")}.`);
  }
  project.provide("redisUrl", `redis://127.0.0.1:${port}`);
  return async () => {
    started.child.kill("SIGTERM");
    await started.ended;
    rmSync(dir, { recursive: true, force: true });
  };
}
