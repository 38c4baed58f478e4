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

  it("publish their ports to this machine alone", () => {
    const ports = [...read("docker-compose.yml").matchAll(/ports: \[(.*)\]/g)].map((match) => match[1] ?? "");
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^"127\.0\.0\.1:/);
  });
});
