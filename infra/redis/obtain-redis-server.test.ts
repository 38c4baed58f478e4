import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { findRedisServer, obtainRedisServer } from "./obtain-redis-server.ts";
import { chooseFreePort, reservePort } from "./redis-process.ts";

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

function program(name: string, script: string): string {
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return join(folder, "bin", name);
}

describe("findRedisServer", () => {
  it.each([
    ["redis-server", "Redis server v=7.0.15 sha=0"],
    ["redis-server", "Redis server v=6.2.0 sha=0"],
    ["valkey-server", "Valkey server v=8.0.1 sha=0"],
  ])("takes %s that says %j", async (name, version) => {
    const command = program(name, `echo "${version}"`);
    expect(await findRedisServer(join(folder, "bin"))).toEqual({ command, env: {} });
  });

  it.each([
    ["is too old", 'echo "Redis server v=6.0.16 sha=0"'],
    ["lacks its libraries", "echo 'cannot open shared object file' >&2; exit 127"],
    ["is something else", "echo hello"],
  ])("passes over a program that %s", async (_what, script) => {
    program("redis-server", script);
    expect(await findRedisServer(join(folder, "bin"))).toBeNull();
  });

  it("does not look into relative folders of the PATH, nor at files that cannot be run", async () => {
    mkdirSync(join(folder, "bin"));
    writeFileSync(join(folder, "bin", "redis-server"), "");
    expect(await findRedisServer(`.::${join(folder, "bin")}`)).toBeNull();
  });
});

describe("obtainRedisServer", () => {
  it("names the three ways to go on when there is nothing to be had", async () => {
    vi.stubEnv("PATH", join(folder, "bin"));
    vi.stubEnv("XDG_CACHE_HOME", join(folder, "cache"));
    const obtaining = obtainRedisServer({ say: () => undefined, fallbackDir: join(folder, "fallback") });
    await expect(obtaining).rejects.toMatchObject({
      code: "REDIS_MISSING",
      remedy: expect.stringMatching(/REDIS_URL.*on the PATH.*docker run/s),
    });
  });

  it("falls through to the next way when apt cannot download", async () => {
    program(
      "apt-get",
      "echo 'Reading package lists...'; echo 'E: Unable to locate package redis-tools' >&2; exit 100",
    );
    program("dpkg-deb", "exit 1");
    vi.stubEnv("PATH", join(folder, "bin"));
    writeFileSync(join(folder, "file"), "");
    vi.stubEnv("XDG_CACHE_HOME", join(folder, "file"));
    const said: string[] = [];
    const obtaining = obtainRedisServer({
      say: (line) => said.push(line),
      fallbackDir: join(folder, "fallback"),
    });
    await expect(obtaining).rejects.toMatchObject({
      code: "REDIS_MISSING",
      message: expect.stringContaining("apt-get (E: Unable to locate package redis-tools)"),
    });
    expect(said.join()).toContain("unpacking the distribution's own package");
  });
});

const MODULE = fileURLToPath(new URL("./redis-process.ts", import.meta.url));

function reservedElsewhere(port: number): string {
  const script = `process.stdout.write(String(await (await import(${JSON.stringify(MODULE)})).reservePort(${port})));`;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
}

describe.runIf(process.platform === "linux")("a reserved port", () => {
  it("is given to no other process, nor again to this one", async () => {
    const port = await chooseFreePort(null);
    expect(await reservePort(port)).toBe(false);
    expect(reservedElsewhere(port)).toBe("false");
  });

  it("is free again when its process has ended", async () => {
    const port = await chooseFreePort(null);
    expect(reservedElsewhere(port + 1)).toBe("true");
    expect(await reservePort(port + 1)).toBe(true);
  });
});
