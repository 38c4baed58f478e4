import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { chooseFreePort } from "../../infra/redis/redis-process.ts";
import { processEnv } from "../support/process-env.ts";
import { startOwnRedis } from "../support/redis-servers.ts";
import { build, makeProject, podsIn, render, secretOf, sourcesOf } from "./rendered-set.ts";
import type { Manifest, Pod } from "./rendered-set.ts";

/** The rendered pods as processes of this machine, on a real Redis with the rendered users. */

it("each pod's own command, settings and secrets run a service that is ready, and a task passes all of them", async () => {
  const { folder, teams, remove } = makeProject();
  onTestFinished(remove);
  const redis = await startOwnRedis();
  const ports = await freePorts(8);
  const objects = await build(await render(folder, teams, redis.url), "managed-redis");
  for (const line of secretOf(objects, "redis-users", "users.acl").trim().split("\n")) {
    const [, user = "", ...rules] = line.split(" ");
    // The test itself looks as the default user.
    if (user !== "default") await redis.redis.call("ACL", "SETUSER", user, "reset", ...rules);
  }
  const urls = new Map<string, string>();
  for (const [index, { name, pod }] of podsIn(objects).entries()) {
    const port = String(ports[index]);
    urls.set(name, `http://127.0.0.1:${port}`);
    startPod(objects, { name, pod, port, folder, teams });
  }
  expect([...urls.keys()].toSorted()).toEqual([
    "agent-archive",
    "agent-desk",
    "agent-inbox",
    "console",
    "gateway",
    "surgeon",
  ]);
  for (const { name, pod } of podsIn(objects)) {
    const url = urls.get(name);
    if (url === undefined) continue;
    const [container] = pod.containers;
    const ready = async (): Promise<number> =>
      fetch(`${url}${container?.readinessProbe?.httpGet?.path}`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(ready, { timeout: 90_000, interval: 250 }).toBe(200);
  }
  const gateway = urls.get("gateway") ?? "";
  const [key = ""] = secretOf(objects, "api-keys", "api-keys").split("\n");
  const sent = await fetch(`${gateway}/v1/handoffs`, {
    method: "POST",
    headers: { authorization: `Bearer ${key.split(":")[2]}`, "content-type": "application/json" },
    body: JSON.stringify({
      target_agent: "inbox",
      contract: "office.order@1",
      data_payload: { id: "k1", seats: 3 },
    }),
  });
  expect(sent.status).toBe(202);
  const { run_id: runId } = z.object({ run_id: z.string() }).parse(await sent.json());
  const status = async (): Promise<unknown> => {
    const answer = await fetch(`${gateway}/v1/runs/${runId}`, {
      headers: { authorization: `Bearer ${key.split(":")[2]}` },
    });
    return z.object({ status: z.string() }).parse(await answer.json()).status;
  };
  await expect.poll(status).toBe("completed");
  const token = secretOf(objects, "metrics-key", "token");
  const scraped = await fetch(`${gateway}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  expect(await scraped.text()).toContain("suture_runs_submitted_total 1");
});

interface Started {
  readonly name: string;
  readonly pod: Pod;
  /** Of the gateway, else of health. */
  readonly port: string;
  readonly folder: string;
  readonly teams: string;
}

/** Runs the one container of a pod as a process: its secrets as files, and ports of its own on this machine. */
function startPod(objects: readonly Manifest[], { name, pod, port, folder, teams }: Started): void {
  const secrets = join(folder, "pods", name);
  mkdirSync(secrets, { recursive: true });
  for (const { name: secret, items } of sourcesOf(pod))
    for (const { key } of items) writeFileSync(join(secrets, key), secretOf(objects, secret, key));
  const [container] = pod.containers;
  if (container === undefined) throw new RangeError(`${name} has no container`);
  const settings = container.envFrom.map(({ configMapRef }) =>
    objects.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === configMapRef.name),
  );
  const given = Object.fromEntries([
    ...settings.flatMap((map) => Object.entries<string>(map?.data ?? {})),
    ...container.env.map((one): [string, string] => [one.name, one.value]),
  ]);
  const env = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, value.replace("/run/secrets", secrets)]),
  );
  const here = { SUTURE_TEAMS: teams, SUTURE_DATA_DIR: join(secrets, "data"), LOG_LEVEL: "warn" };
  const isOn = (variable: string, on: string): Record<string, string> =>
    name === on ? { [variable]: port } : {};
  const listens = {
    SUTURE_CONSOLE_PORT: "0",
    SUTURE_HEALTH_PORT: port,
    ...isOn("SUTURE_GATEWAY_PORT", "gateway"),
    ...Object.fromEntries(["GATEWAY", "CONSOLE", "HEALTH"].map((one) => [`SUTURE_${one}_HOST`, "127.0.0.1"])),
  };
  const [program = "", ...args] = container.command;
  const child = spawn(program, args, {
    stdio: "inherit",
    env: { ...processEnv(), ...env, ...here, ...listens },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
}

async function freePorts(count: number): Promise<number[]> {
  const ports = await Promise.all(Array.from({ length: count }, () => chooseFreePort(null)));
  expect(new Set(ports).size).toBe(count);
  return ports;
}
