import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createMaster, issueKeyring, Keyring } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { processEnv } from "./support/process-env.ts";
import { startOwnRedis } from "./support/redis-servers.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** Every service that is at work for itself, and what it says once it is. Silence counts for the surgeon. */
const SERVICES = [
  { service: "agents", isAtWork: "agents at work", waits: "the agents wait to start" },
  { service: "surgeon", isAtWork: null, waits: "the surgeon waits to start" },
  { service: "gateway", isAtWork: "gateway listens", waits: null },
  { service: "console", isAtWork: "console listens", waits: null },
] as const;

const TEAMS = "services/agents";

async function startService(service: string, redisUrl: string) {
  const folder = temporaryFolder();
  const edges = edgesOf(await loadTeams(TEAMS));
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const master = createMaster();
  const keys = Keyring.merge(names.map((agent) => issueKeyring({ master, agent, edges })));
  mkdirSync(join(folder, "keys"));
  writeFileSync(join(folder, "keys.json"), keys.exportJson(), { mode: 0o600 });
  const child = spawn(process.execPath, [`services/${service}/main.ts`], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...processEnv(),
      REDIS_URL: redisUrl,
      SUTURE_TEAMS: TEAMS,
      SUTURE_DATA_DIR: folder,
      SUTURE_KEYS: `@${join(folder, "keys.json")}`,
      SUTURE_GATEWAY_PORT: "0",
      SUTURE_CONSOLE_PORT: "0",
      LOG_LEVEL: "info",
    },
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (log += String(chunk)));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, said: () => log };
}

const WATCHED_MS = 4000;

it.each(SERVICES)(
  "starts the $service though Redis is full, and goes on when there is room",
  { timeout: 90_000 },
  async ({ service, isAtWork, waits }) => {
    const own = await startOwnRedis();
    await own.redis.config("SET", "maxmemory", "1");
    const { child, said } = await startService(service, own.url);
    const isOver = (): boolean => child.exitCode !== null;
    await expect.poll(() => isOver() || said().includes(waits ?? isAtWork), { timeout: 60_000 }).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
    expect(child.exitCode, said()).toBeNull();
    await own.redis.config("SET", "maxmemory", "0");
    if (isAtWork !== null) await expect.poll(said, { timeout: 60_000 }).toContain(isAtWork);
    // Its consumer renews the key with which it looks for stalled jobs.
    else await expect.poll(() => own.redis.keys("*stalled-check"), { timeout: 60_000 }).not.toEqual([]);
    expect(child.exitCode, said()).toBeNull();
  },
);
