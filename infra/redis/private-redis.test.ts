import { spawn, spawnSync } from "node:child_process";
import { chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseRedisUrl } from "#shared/config";
import { temporaryFolder } from "#shared/testing";
import { isSameProcess, processIdentity } from "../lock-folder.mjs";
import { obtainRedisServer } from "./obtain-redis-server.ts";
import { startPrivateRedis } from "./private-redis.ts";
import type { PrivateRedis } from "./private-redis.ts";

let dataDir: string;
let lines: string[];
const started: PrivateRedis[] = [];

beforeEach(() => {
  dataDir = temporaryFolder();
  lines = [];
});

afterEach(async () => {
  for (const redis of started.splice(0)) await redis.stop();
});

async function start(users?: readonly string[]): Promise<PrivateRedis> {
  const redis = await startPrivateRedis({
    dataDir,
    durability: "fast",
    say: (line) => lines.push(line),
    ...(users === undefined ? {} : { users }),
  });
  started.push(redis);
  return redis;
}

function optionsOf(url: string) {
  const parsed = parseRedisUrl(url);
  if ("problem" in parsed) throw new Error(parsed.problem);
  const { socket, nodes, username, password } = parsed.address;
  const place = socket === null ? { port: nodes[0]?.port ?? 0 } : { path: socket };
  return { ...place, password: password ?? "", ...(username === null ? {} : { username }) };
}

async function ask<Answer>(url: string, question: (redis: Redis) => Promise<Answer>): Promise<Answer> {
  const redis = new Redis({ ...optionsOf(url), maxRetriesPerRequest: null, retryStrategy: () => 50 });
  redis.on("error", () => undefined);
  try {
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}

/** Starts Redis in another process and kills that. @param holderMs - Life of one more holder. @returns Its id. */
async function startInCommandThatIsKilled(holderMs = 0): Promise<number> {
  const { redis, kill } = await startInCommand(holderMs);
  await kill();
  return redis;
}

async function startInCommand(
  holderMs = 0,
): Promise<{ readonly redis: number; readonly kill: () => Promise<void> }> {
  const script = `import { spawn } from "node:child_process";
    import { startPrivateRedis } from ${JSON.stringify(join(import.meta.dirname, "private-redis.ts"))};
    const redis = await startPrivateRedis({ dataDir: ${JSON.stringify(dataDir)}, durability: "fast", say: () => {} });
    if (${holderMs} > 0) spawn("sleep", ["${holderMs / 1000}"], { stdio: ["ignore", "ignore", "ignore", redis.hold], detached: true });
    console.log(redis.pid); setInterval(() => {}, 1000);`;
  const command = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: process.cwd(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => command.once("exit", resolve));
  const pid = await new Promise<number>((resolve) =>
    command.stdout.once("data", (data) => resolve(Number(data))),
  );
  const kill = async (): Promise<void> => {
    command.kill("SIGKILL");
    await ended;
  };
  return { redis: pid, kill };
}

describe("startPrivateRedis", () => {
  it("starts again after SIGKILL at the same address with what was written", async () => {
    const redis = await start();
    await ask(redis.url, (client) => client.set("kept", "yes"));
    const killed = redis.pid;
    process.kill(killed, "SIGKILL");
    await vi.waitFor(() => expect(redis.pid).not.toBe(killed), 60_000);
    expect(await ask(redis.url, (client) => client.get("kept"))).toBe("yes");
    expect(lines.join()).toContain("starting it again");
  });

  it.runIf(process.platform === "linux")("starts again from its file after a full disk", async () => {
    const { command, env } = await obtainRedisServer({ say: () => undefined, fallbackDir: dataDir });
    const programs = temporaryFolder();
    const exports = Object.entries(env).map(([name, value]) => `export ${name}='${value}'\n`);
    // Without the trap a file that may not grow ends the server by a signal, which no full disk does.
    const trapped = `#!/bin/sh\ntrap '' XFSZ\n${exports.join("")}exec '${command}' "$@"\n`;
    writeFileSync(join(programs, "redis-server"), trapped, { mode: 0o700 });
    vi.stubEnv("PATH", `${programs}:${process.env["PATH"] ?? ""}`);
    const redis = await start();
    vi.unstubAllEnvs();
    const limit = (size: string) => spawnSync("prlimit", [`--pid=${redis.pid}`, `--fsize=${size}:unlimited`]);
    const { pid } = redis;
    await ask(redis.url, async (client) => {
      for (let i = 0; i < 20; i += 1) await client.set("large", "x".repeat(200_000));
      await client.bgrewriteaof();
      const saved = /aof_rewrite_in_progress:0[^]*aof_rewrite_scheduled:0/;
      await vi.waitFor(async () => expect(await client.info("persistence")).toMatch(saved), 20_000);
      await client.set("before", "yes");
      limit("250000");
      const fill = () => client.set("large", "y".repeat(200_000));
      await vi.waitFor(() => expect(fill()).rejects.toThrow(/MISCONF/), { timeout: 20_000, interval: 100 });
      await vi.waitFor(() => expect(lines.join()).toContain("is the disk full"), 20_000);
      limit("unlimited");
      await vi.waitFor(() => expect(lines.join()).toContain("file anew"), 20_000);
      await client.set("after", "yes");
      await vi.waitFor(async () => expect(await client.info("persistence")).toMatch(saved), 20_000);
    });
    process.kill(pid, "SIGKILL");
    await vi.waitFor(() => expect(redis.pid).not.toBe(pid), 60_000);
    expect(await ask(redis.url, (client) => client.mget("before", "after"))).toEqual(["yes", "yes"]);
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

  it("ends with the command that started it, however that ends, and with what the command started", async () => {
    const redis = processIdentity(await startInCommandThatIsKilled());
    await vi.waitFor(() => expect(isSameProcess(redis)).toBe(false), 60_000);
    const held = processIdentity(await startInCommandThatIsKilled(3000));
    const killedMs = performance.now();
    await vi.waitFor(() => expect(isSameProcess(held)).toBe(false), 60_000);
    expect(performance.now() - killedMs).toBeGreaterThan(1500);
  });

  it("adopts the Redis of a command that was killed, and stops it in its place", async () => {
    const pid = await startInCommandThatIsKilled(5000);
    const adopted = await start();
    expect(adopted).toMatchObject({ pid, isOwned: true });
    expect(lines.join()).toContain("earlier command");
    // Longer than the watch of the killed command lasts.
    await new Promise((resolve) => setTimeout(resolve, 6500));
    expect(adopted.pid).toBe(pid);
    await adopted.stop();
    expect(isSameProcess(processIdentity(pid))).toBe(false);
  });

  it("goes on for a command that shares it when the one that started it is killed", async () => {
    const owner = await startInCommand();
    const sharing = await start();
    expect(sharing).toMatchObject({ pid: owner.redis, isOwned: false });
    await ask(sharing.url, (redis) => redis.set("kept", "yes"));
    await owner.kill();
    await vi.waitFor(() => expect(sharing.isOwned).toBe(true), 60_000);
    expect(await ask(sharing.url, (redis) => redis.get("kept"))).toBe("yes");
  });

  it("listens on a socket elsewhere, for its owner alone, where the folder's path is too long for one", async () => {
    dataDir = join(dataDir, "long".repeat(25));
    const first = await start();
    await ask(first.url, (redis) => redis.set("kept", "yes"));
    expect(first.address.startsWith(dataDir)).toBe(false);
    expect(statSync(dirname(first.address)).mode & 0o777).toBe(0o700);
    await first.stop();
    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await ask(second.url, (redis) => redis.get("kept"))).toBe("yes");
    rmSync(dirname(first.address), { recursive: true });
  });
});

describe("with users", () => {
  const reader = "user reader on >secret resetkeys %R~* resetchannels -@all +get +ping";
  const USERS = ["user default off", reader];
  const asReader = (url: string): string => url.replace(/\/\/.*@/, "//reader:secret@");

  it("lets the owner and each user in as what they are, and nobody else", async () => {
    const { url } = await start(USERS);
    await ask(url, (redis) => redis.set("kept", "yes"));
    expect(await ask(asReader(url), (redis) => redis.get("kept"))).toBe("yes");
    await expect(ask(asReader(url), (redis) => redis.set("kept", "no"))).rejects.toThrow(/NOPERM/);
    expect(await ask(url, (redis) => redis.acl("WHOAMI"))).toBe("owner");
    const { username: _owner, ...nobody } = optionsOf(url);
    const stranger = new Redis({ ...nobody, retryStrategy: () => null, lazyConnect: true });
    stranger.on("error", () => undefined);
    await expect(stranger.get("kept")).rejects.toThrow(/WRONGPASS|NOAUTH/);
    stranger.disconnect();
  });

  it("keeps them when it is killed, and takes those of a later command", async () => {
    const redis = await start(USERS);
    const killed = redis.pid;
    process.kill(killed, "SIGKILL");
    await vi.waitFor(() => expect(redis.pid).not.toBe(killed), 60_000);
    expect(await ask(asReader(redis.url), (one) => one.get("kept"))).toBeNull();
    const sharing = await start([...USERS, "user writer on >secret ~* -@all +set"]);
    expect(sharing.pid).toBe(redis.pid);
    expect(await ask(redis.url, (one) => one.acl("USERS"))).toContain("writer");
  });
});

describe("what others of this machine see of it", () => {
  it("answers nobody without the password", async () => {
    const { address } = await start();
    for (const options of [{}, { password: "guessed" }]) {
      const redis = new Redis({ path: address, ...options, retryStrategy: () => null, lazyConnect: true });
      redis.on("error", () => undefined);
      await expect(redis.config("GET", "dir")).rejects.toThrow(/NOAUTH|WRONGPASS/);
      redis.disconnect();
    }
    expect(lines.join()).not.toContain("redis+unix");
  });

  it("tells its command line and environment nothing that is secret", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-of-the-launcher");
    const { pid, url } = await start();
    vi.unstubAllEnvs();
    const { stdout } = spawnSync("ps", ["eww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    expect(stdout).toContain("redis");
    expect(stdout).not.toContain("sk-of-the-launcher");
    expect(stdout).not.toContain(optionsOf(url).password);
    expect(stdout).not.toMatch(/\b(?:PATH|HOME)=/);
  });

  it("keeps everything for its owner, under any umask, and narrows what was open", async () => {
    const umask = process.umask(0);
    try {
      mkdirSync(join(dataDir, "new", "redis", "appendonlydir"), { recursive: true });
      writeFileSync(join(dataDir, "new", "redis", "redis.log"), "of an earlier release\n");
      dataDir = join(dataDir, "new");
      const { url } = await start();
      await ask(url, async (redis) => {
        await redis.set("payload", "secret");
        await redis.save();
      });
    } finally {
      process.umask(umask);
    }
    expect(lines.join()).toContain("was open to other users");
    const places = [
      dataDir,
      ...readdirSync(dataDir, { recursive: true }).map((name) => join(dataDir, String(name))),
    ];
    expect(places.length).toBeGreaterThan(6);
    for (const place of places) expect([place, statSync(place).mode & 0o077]).toEqual([place, 0]);
  });

  it("refuses a data folder of somebody else", { skip: process.geteuid?.() !== 0 }, async () => {
    chownSync(dataDir, 65_534, 65_534);
    await expect(start()).rejects.toMatchObject({ code: "FOLDER_FOREIGN" });
  });
});
