import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { obtainRedisServer } from "./obtain-redis-server.ts";
import { chooseFreePort, spawnRedis, waitUntilAnswering } from "./redis-process.ts";

/** A Redis for tests and measurements: its data is removed, and it ends with this process. */
export interface ScratchRedis {
  readonly url: string;
  stop(): Promise<void>;
}

const START_MS = 60_000;

/**
 * Starts a Redis with a port and a folder of its own.
 * @param fallbackDir - For an unpacked server where the user's cache folder cannot be written.
 * @param fsync - How it writes its append-only file. Default: it has none.
 * @throws {RedisMissingError} There is no program. {Error} It did not come up; the message names its log.
 */
export async function startScratchRedis(
  fallbackDir: string,
  fsync: "always" | "everysec" | "none" = "none",
): Promise<ScratchRedis> {
  const server = await obtainRedisServer({
    say: (line) => process.stderr.write(`${line}\n`),
    fallbackDir,
  });
  const dir = mkdtempSync(join(tmpdir(), "suture-test-redis-"));
  const port = await chooseFreePort(null);
  const started = await spawnRedis({ server, dir, port, fsync, isDetached: false });
  const end = (): void => void started.child.kill("SIGTERM");
  process.once("exit", end);
  const isOver = (): boolean => started.child.exitCode !== null;
  if (!(await waitUntilAnswering(port, isOver, AbortSignal.timeout(START_MS))))
    throw new Error(`The scratch Redis ended while starting; see ${join(dir, "redis.log")}.`);
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      process.off("exit", end);
      end();
      await started.ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
