import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { listenLocally } from "#shared/testing";

const root = dirname(import.meta.dirname);
const read = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the image and the compose file", () => {
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
