import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { REDIS_CONF } from "./redis/redis-process.ts";

const root = dirname(import.meta.dirname);
const read = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the image and the compose file", () => {
  it("copy and mount what is there", () => {
    const copied = [...read("deploy/Dockerfile").matchAll(/^COPY (.+) \S+$/gm)].flatMap((match) =>
      (match[1] ?? "").split(" "),
    );
    expect(copied).toEqual(
      expect.arrayContaining(["package-lock.json", ".npmrc", "infra", "shared", "services"]),
    );
    for (const path of copied) expect(existsSync(join(root, path)), path).toBe(true);
    const mounted = [...read("docker-compose.yml").matchAll(/- \.\/(\S+?):/g)].map((match) =>
      join(root, match[1] ?? ""),
    );
    expect(mounted).toEqual([REDIS_CONF]);
  });

  it("start every Node so that SIGUSR1 opens no inspector, as the npm scripts do", () => {
    const commands = [
      ...read("docker-compose.yml").matchAll(/command: \["node", (.*)\]/g),
      ...read("deploy/Dockerfile").matchAll(/^CMD \["node", (.*)\]/gm),
    ].map((match) => match[1] ?? "");
    expect(commands.length).toBeGreaterThan(7);
    for (const command of commands) expect(command).toMatch(/^"--disable-sigusr1", "/);
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const lasting = Object.values(scripts).filter((script) => /^node (?!infra\/)/.test(script));
    expect(lasting.length).toBeGreaterThan(4);
    for (const script of lasting) expect(script).toMatch(/^node --disable-sigusr1 /);
  });

  it("publish their ports to this machine alone", () => {
    const ports = [...read("docker-compose.yml").matchAll(/ports: \[(.*)\]/g)].map((match) => match[1] ?? "");
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^"127\.0\.0\.1:/);
  });
});
