import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isSameProcess, processIdentity } from "../lock-folder.mjs";
import { startPrivateRedis } from "./private-redis.ts";
import type { PrivateRedis, PrivateRedisOptions } from "./private-redis.ts";

let dataDir: string;
let lines: string[];
const started: PrivateRedis[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "suture-redis-test-"));
  lines = [];
});

afterEach(async () => {
  for (const redis of started.splice(0)) await redis.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(more: Partial<PrivateRedisOptions> = {}): Promise<PrivateRedis> {
  const redis = await startPrivateRedis({
    dataDir,
    durability: "fast",
    say: (line) => lines.push(line),
    ...more,
  });
  started.push(redis);
  return redis;
}

/** Asks over a connection of its own, which waits while Redis is away. */
async function ask<Answer>(url: string, question: (redis: Redis) => Promise<Answer>): Promise<Answer> {
  const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  redis.on("error", () => undefined);
  try {
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}

/** Starts Redis in another process, kills that one, and gives the id of the Redis left behind. */
async function startInCommandThatIsKilled(): Promise<number> {
  const script = `import { startPrivateRedis } from ${JSON.stringify(join(import.meta.dirname, "private-redis.ts"))};
    const redis = await startPrivateRedis({ dataDir: ${JSON.stringify(dataDir)}, durability: "fast", say: () => {} });
    console.log(redis.pid); setInterval(() => {}, 1000);`;
  const command = spawn(process.execPath, ["--input-type=module", "--eval", script], { cwd: process.cwd() });
  const ended = new Promise((resolve) => command.once("exit", resolve));
  const pid = await new Promise<number>((resolve) =>
    command.stdout.once("data", (data) => resolve(Number(data))),
  );
  command.kill("SIGKILL");
  await ended;
  return pid;
}

describe("startPrivateRedis", () => {
  it("runs with an append-only file, evicts nothing, and listens on the loopback alone", async () => {
    const { url } = await start();
    const settings = await ask(url, async (redis) => ({
      appendonly: await redis.config("GET", "appendonly"),
      policy: await redis.config("GET", "maxmemory-policy"),
      bind: await redis.config("GET", "bind"),
      fsync: await redis.config("GET", "appendfsync"),
    }));
    expect(settings).toEqual({
      appendonly: ["appendonly", "yes"],
      policy: ["maxmemory-policy", "noeviction"],
      bind: ["bind", "127.0.0.1"],
      fsync: ["appendfsync", "everysec"],
    });
  });

  it("syncs every write when durable", async () => {
    const { url } = await start({ durability: "durable" });
    expect(await ask(url, (redis) => redis.config("GET", "appendfsync"))).toEqual(["appendfsync", "always"]);
  });

  it("keeps its data and its address over a stop and a start", async () => {
    const first = await start();
    await ask(first.url, (redis) => redis.set("kept", "yes"));
    await first.stop();
    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await ask(second.url, (redis) => redis.get("kept"))).toBe("yes");
  });

  it("starts again after SIGKILL on the same port with what was written", async () => {
    const exits: boolean[] = [];
    const redis = await start({ onExit: ({ isRestarting }) => exits.push(isRestarting) });
    await ask(redis.url, (client) => client.set("kept", "yes"));
    const killed = redis.pid;
    process.kill(killed, "SIGKILL");
    await vi.waitFor(() => expect(redis.pid).not.toBe(killed), 10_000);
    expect(await ask(redis.url, (client) => client.get("kept"))).toBe("yes");
    expect(exits).toEqual([true]);
  });

  it("starts one Redis for many starters at once, which only the first one stops", async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => start()));
    expect(new Set(all.map(({ pid }) => pid)).size).toBe(1);
    const [owner, ...others] = all.toSorted((a, b) => Number(b.isOwned) - Number(a.isOwned));
    expect(others.some(({ isOwned }) => isOwned)).toBe(false);
    for (const other of others) await other.stop();
    expect(await ask(all[0]?.url ?? "", (redis) => redis.ping())).toBe("PONG");
    await owner?.stop();
    expect(isSameProcess(processIdentity(owner?.pid ?? 0))).toBe(false);
  });

  it("adopts the Redis of a command that was killed, and stops it in its place", async () => {
    const pid = await startInCommandThatIsKilled();
    const adopted = await start();
    expect(adopted).toMatchObject({ pid, isOwned: true });
    expect(lines.join()).toContain("earlier command");
    await adopted.stop();
    expect(isSameProcess(processIdentity(pid))).toBe(false);
  });

  it("starts an adopted Redis again when it dies", async () => {
    const pid = await startInCommandThatIsKilled();
    const adopted = await start();
    await ask(adopted.url, (redis) => redis.set("kept", "yes"));
    process.kill(pid, "SIGKILL");
    await vi.waitFor(() => expect(adopted.pid).not.toBe(pid), 10_000);
    expect(await ask(adopted.url, (redis) => redis.get("kept"))).toBe("yes");
  });

  it("takes another port when its own was given to another program meanwhile", async () => {
    const first = await start();
    await first.stop();
    const port = Number(new URL(first.url).port);
    const squatter = createServer().listen(port, "127.0.0.1");
    await new Promise((resolve) => squatter.once("listening", resolve));
    const second = await start();
    expect(second.url).not.toBe(first.url);
    expect(await ask(second.url, (redis) => redis.ping())).toBe("PONG");
    squatter.close();
  });

  it("says where the log is when the data cannot be loaded", async () => {
    const first = await start();
    await ask(first.url, (redis) => redis.set("a", "b"));
    await first.stop();
    const folder = join(dataDir, "redis", "appendonlydir");
    for (const file of readdirSync(folder)) writeFileSync(join(folder, file), "not what Redis wrote\n");
    await expect(start()).rejects.toMatchObject({
      code: "REDIS_START_FAILED",
      remedy: expect.stringContaining("redis.log"),
    });
  });
});
