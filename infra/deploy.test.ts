import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { listenLocally } from "#shared/testing";
import { REDIS_CONF } from "./redis/redis-process.ts";

const root = dirname(import.meta.dirname);
const read = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the image and the compose file", () => {
  it("copy and mount what is there", () => {
    // An earlier stage's files are there when they are copied.
    const copied = [...read("deploy/Dockerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) =>
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

  it("run without root, without a shell, and with a check of health", () => {
    const steps = read("deploy/Dockerfile").split("\n");
    const given = (name: string): string[] =>
      steps.filter((step) => step.startsWith(`${name} `)).map((step) => step.slice(name.length + 1));
    expect(given("USER")).toEqual(["node"]);
    expect(given("ENTRYPOINT")).toEqual(["[]"]);
    expect(given("CMD")).toEqual(['["node", "--disable-sigusr1", "services/gateway/main.ts"]']);
    expect(given("HEALTHCHECK").join(" ")).toMatch(/ CMD \["bash", "infra\/probe\.sh"\]$/);
  });

  it.each(["SUTURE_HEALTH_PORT", "SUTURE_GATEWAY_PORT"])(
    "ask the port that %s names whether it is ready, where no address is given",
    async (variable) => {
      let status = 200;
      const server = createServer((request, response) => {
        response.writeHead(request.url === "/readyz" ? status : 404).end();
      });
      const port = String(await listenLocally(server));
      const probe = async (): Promise<number | null> => {
        const env = { PATH: process.env["PATH"] ?? "", [variable]: port };
        const child = spawn("bash", [join(root, "infra/probe.sh")], { env });
        return new Promise((resolve) => void child.once("exit", resolve));
      };
      expect(await probe()).toBe(0);
      status = 503;
      expect(await probe()).toBe(1);
    },
  );

  it("publish their ports to this machine alone", () => {
    const ports = [...read("docker-compose.yml").matchAll(/ports: \[(.*)\]/g)].map((match) => match[1] ?? "");
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^"127\.0\.0\.1:/);
  });
});
