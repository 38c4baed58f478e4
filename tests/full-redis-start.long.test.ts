import { expect, it } from "vitest";
import { loadTeams } from "#shared/runtime/process";
import { createTestSystem } from "#shared/testing";
import { startOwnRedis } from "./support/redis-servers.ts";
import { spawnService } from "./support/service-process.ts";

/** Every service that is at work for itself, and what it says once it is. Silence counts for the surgeon. */
const SERVICES = [
  { service: "agents", isAtWork: "agents at work", waits: "the agents wait to start" },
  { service: "surgeon", isAtWork: null, waits: "the surgeon waits to start" },
  { service: "gateway", isAtWork: "gateway listens", waits: null },
  { service: "console", isAtWork: "console listens", waits: null },
] as const;

const WATCHED_MS = 4000;

it.each(SERVICES)(
  "starts the $service though Redis is full, and goes on when there is room",
  async ({ service, isAtWork, waits }) => {
    const [support] = (await loadTeams("services/agents")).filter(({ name }) => name === "support");
    if (support === undefined) throw new Error("there is no team support");
    const own = await startOwnRedis();
    await own.redis.config("SET", "maxmemory", "1");
    const { child, output: said } = spawnService(createTestSystem(support), {
      name: service,
      args: service === "agents" ? ["triage"] : [],
      env: {
        REDIS_URL: own.url,
        SUTURE_API_KEYS: "ada:submit:a-long-secret-of-your-own",
        SUTURE_GATEWAY_PORT: "0",
        SUTURE_CONSOLE_PORT: "0",
        LOG_LEVEL: "info",
      },
    });
    const isOver = (): boolean => child.exitCode !== null;
    await expect.poll(() => isOver() || said().includes(waits ?? isAtWork)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
    expect(child.exitCode, said()).toBeNull();
    await own.redis.config("SET", "maxmemory", "0");
    if (isAtWork !== null) await expect.poll(said).toContain(isAtWork);
    // Its consumer renews the key with which it looks for stalled jobs.
    else await expect.poll(() => own.redis.keys("*stalled-check")).not.toEqual([]);
    expect(child.exitCode, said()).toBeNull();
  },
);
