import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { processEnv } from "./support/process-env.ts";
import { startOwnRedis } from "./support/redis-servers.ts";
import { runCli, spawnLauncher } from "./support/run-cli.ts";
import type { Launcher } from "./support/run-cli.ts";
import { findingSchema } from "#shared/doctor";
import { temporaryFolder } from "#shared/testing";

/** The doctor beside real processes and a real Redis: what is wrong is seen, and what is not is not reported. */

const findingsSchema = z.array(findingSchema);
const reportSchema = z.object({ sound: z.boolean(), findings: findingsSchema });
const answerSchema = z.object({ findings: findingsSchema, limits: z.record(z.string(), z.number()) });

interface Report {
  readonly code: number | null;
  /** State by check. */
  readonly states: Readonly<Record<string, string>>;
  readonly seen: Readonly<Record<string, string>>;
}

async function examine(env: Readonly<Record<string, string>>): Promise<Report> {
  const { code, stdout, stderr } = await runCli(["doctor", "--json"], env);
  expect(stderr).toBe("");
  const { findings, sound } = reportSchema.parse(JSON.parse(stdout));
  expect(sound).toBe(code === 0);
  return {
    code,
    states: Object.fromEntries(findings.map(({ check, state }) => [check, state])),
    seen: Object.fromEntries(findings.map(({ check, seen }) => [check, seen])),
  };
}

describe.skipIf(process.platform !== "linux")("beside npm start in a process for each service", () => {
  let dataDir: string;
  let launcher: Launcher;
  const env = (): Record<string, string> => ({
    SUTURE_DATA_DIR: dataDir,
    SUTURE_GATEWAY_PORT: "0",
    SUTURE_CONSOLE_PORT: "0",
    SUTURE_REHEARSAL_PORT: "0",
  });

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "suture-doctor-test-"));
    launcher = spawnLauncher(["up", "--processes", "2"], dataDir);
    await vi.waitUntil(() => launcher.output().includes("Console at"), { timeout: 150_000, interval: 200 });
  });

  afterAll(async () => {
    launcher.child.kill("SIGTERM");
    await launcher.ended;
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("keeps what is promised, and says what one machine leaves open", async () => {
    const { code, states, seen } = await examine(env());
    expect(code).toBe(0);
    expect(states).toMatchObject({
      "key files": "ok",
      "master key": "open",
      "users of services": "open",
      "secrets of others": "ok",
      "key generations": "ok",
      "Redis persistence": "ok",
      "Redis users": "ok",
      "Redis rules": "ok",
      "Redis rights": "ok",
      "Redis keys of others": "ok",
      "Redis commands": "ok",
    });
    expect(seen["Redis user"]).toBe("services are agent, console, gateway, surgeon");
  });

  it("shows in the console how Redis stands for it, and its limits", async () => {
    const url = /Console at (http:\S+?:\d+)/.exec(launcher.output())?.[1] ?? "";
    const [, , secret = ""] = readFileSync(join(dataDir, "keys", "api-keys"), "utf8")
      .trim()
      .split(":");
    const answer = await fetch(`${url}/v1/doctor`, { headers: { authorization: `Bearer ${secret}` } });
    const { findings, limits } = answerSchema.parse(await answer.json());
    const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
    expect(states).toMatchObject({ "Redis persistence": "ok", "Redis user": "ok", "Redis commands": "ok" });
    expect(limits).toMatchObject({ SUTURE_QUEUE_LIMIT: 100_000 });
  });

  it("has a key file that others may read", async () => {
    const file = join(dataDir, "keys", "gateway.json");
    chmodSync(file, 0o644);
    onTestFinished(() => chmodSync(file, 0o600));
    const { code, states, seen } = await examine(env());
    expect({ code, state: states["key files"] }).toEqual({ code: 1, state: "failed" });
    expect(seen["key files"]).toContain("gateway.json");
  });

  it("runs a service with a secret that it has no use for", async () => {
    const stranger = spawn(process.execPath, ["services/rehearsal/main.ts"], {
      env: { ...processEnv(), ...env(), OPENAI_API_KEY: "sk-stranger", AWS_SECRET_ACCESS_KEY: "hush" },
      stdio: "ignore",
    });
    onTestFinished(() => void stranger.kill("SIGKILL"));
    await once(stranger, "spawn");
    const { code, seen } = await examine(env());
    expect(code).toBe(1);
    expect(seen["secrets of others"]).toContain("OPENAI_API_KEY of rehearsal");
    expect(seen["secrets of others"]).toContain("AWS_SECRET_ACCESS_KEY of rehearsal");
    expect(JSON.stringify(seen)).not.toMatch(/sk-stranger|hush/);
  });

  it("runs services with keys of a generation that has been replaced", async () => {
    const rotate = ["keys", "rotate", "--data-dir", dataDir];
    const folder = join(dataDir, "keys");
    const files = readdirSync(folder).filter((name) => name.endsWith(".json") && name !== "generations.json");
    const before = files.map((name) => [join(folder, name), readFileSync(join(folder, name))] as const);
    expect((await runCli(rotate)).code).toBe(0);
    expect((await runCli(rotate)).code).toBe(0);
    // As a backup would that is put back.
    for (const [file, content] of before) writeFileSync(file, content);
    const { code, states, seen } = await examine(env());
    expect({ code, state: states["key generations"] }).toEqual({ code: 1, state: "failed" });
    expect(seen["key generations"]).toContain("the issuer says 2");
  });
});

describe("beside a Redis that is given by its address", () => {
  async function openRedis(settings: readonly string[]) {
    const own = await startOwnRedis(settings);
    const dataDir = temporaryFolder();
    const look = (url = own.url): Promise<Report> => examine({ SUTURE_DATA_DIR: dataDir, REDIS_URL: url });
    return { own, dataDir, look };
  }

  it("says that it would lose messages", async () => {
    const { look } = await openRedis([]);
    const { code, states, seen } = await look();
    expect(code).toBe(1);
    expect(seen["Redis user"]).toBe("default: one trust domain that includes the ward");
    expect(states).toMatchObject({
      "Redis persistence": "failed",
      "Redis password": "open",
      "Redis user": "open",
      "Redis keys of others": "open",
      "Redis commands": "open",
    });
  });

  it("tells of a disk that took no writes, which Redis may not start from", async () => {
    const gone = temporaryFolder();
    const { own, look } = await openRedis(["--save", "3600 1", "--dir", gone]);
    expect((await look()).states["Redis disk"]).toBe("ok");
    rmSync(gone, { recursive: true });
    await own.redis.bgsave();
    const write = () => own.redis.set("any", "text");
    await vi.waitFor(() => expect(write()).rejects.toThrow(/MISCONF/), 20_000);
    const { states, seen } = await look();
    expect(states["Redis disk"]).toBe("open");
    expect(seen["Redis disk"]).toContain("count=");
  });

  it("looks at each of several, and names the shard", async () => {
    const [own, other] = [await startOwnRedis(["--appendonly", "yes"]), await startOwnRedis()];
    const urls = `${own.url} ${other.url}`;
    const { states } = await examine({ SUTURE_DATA_DIR: temporaryFolder(), SUTURE_REDIS_URLS: urls });
    expect(states).toMatchObject({
      "Redis persistence, shard 0": "ok",
      "Redis persistence, shard 1": "failed",
    });
  }, 120_000);

  it("compares its users with what services need, and finds one that may do more", async () => {
    const { own, dataDir, look } = await openRedis(["--appendonly", "yes"]);
    await runCli(["redis-acl", "--out", dataDir]);
    for (const line of readFileSync(join(dataDir, "users.acl"), "utf8").trim().split("\n")) {
      const [, user = "", ...rules] = line.split(" ");
      if (user !== "default") await own.redis.call("ACL", "SETUSER", user, "reset", ...rules);
    }
    await own.redis.call("ACL", "SETUSER", "overseer", "on", ">watchful", "~*", "&*", "+@all");
    await own.redis.call("ACL", "SETUSER", "default", "off");
    const overseer = own.url.replace("//", "//overseer:watchful@");
    const { code, states } = await look(overseer);
    expect({ code, users: states["Redis users"], rules: states["Redis rules"] }).toEqual({
      code: 0,
      users: "ok",
      rules: "ok",
    });
    expect(states["Redis password"]).toBe("ok");
    await own.redis.call("ACL", "SETUSER", "agent", "~*");
    await own.redis.call("ACL", "DELUSER", "console");
    await own.redis.call("ACL", "SETUSER", "default", "-@all");
    const after = await look(overseer);
    expect({ code: after.code, rules: after.states["Redis rules"] }).toEqual({ code: 1, rules: "failed" });
    expect(after.seen["Redis rules"]).toContain("agent");
    expect(after.seen["Redis users"]).toContain("console");
    expect([states["Redis restart"], after.states["Redis restart"]]).toEqual(["ok", "failed"]);
  });
});
