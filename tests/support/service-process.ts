import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { testRedisUrl, temporaryFolder } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { processEnv } from "./process-env.ts";

export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Returns what it has logged so far, one entry a line. */
  readonly log: () => Record<string, unknown>[];
  readonly output: () => string;
}

/** Starts a service as it is deployed, on the test system's Redis and with its keys. Stops it after the test. */
export function spawnService(
  system: TestSystem,
  service: {
    readonly name: string;
    readonly args?: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    /** Ends it after the test. Default: SIGTERM. */
    readonly endsBy?: "SIGTERM" | "SIGKILL";
  },
): ServiceProcess {
  const dataDir = temporaryFolder();
  const keys = join(dataDir, "keys.json");
  writeFileSync(keys, system.keyring.exportJson(), { mode: 0o600 });
  const child = spawn(
    process.execPath,
    ["--disable-sigusr1", `services/${service.name}/main.ts`, ...(service.args ?? [])],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...processEnv(),
        REDIS_URL: testRedisUrl(),
        SUTURE_PREFIX: system.store.keys.prefix,
        SUTURE_KEYS: `@${keys}`,
        SUTURE_DATA_DIR: dataDir,
        ...service.env,
      },
    },
  );
  let text = "";
  child.stdout.on("data", (chunk) => (text += String(chunk)));
  onTestFinished(async () => {
    child.kill(service.endsBy ?? "SIGTERM");
    await whenGone(child);
  });
  return {
    child,
    output: () => text,
    // Our services log one JSON object a line.
    log: () =>
      text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

/** Starts a gateway on a free port, and waits until it listens. */
export async function spawnGateway(
  system: TestSystem,
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess & { readonly url: string }> {
  const gateway = spawnService(system, { name: "gateway", env: { SUTURE_GATEWAY_PORT: "0", ...env } });
  const urlOf = (): unknown => gateway.log().find(({ msg }) => msg === "gateway listens")?.["url"];
  await expect.poll(urlOf).toBeTruthy();
  return { ...gateway, url: String(urlOf()) };
}

const NOWHERE = "http://127.0.0.1:9";

/** Starts a worker process for these agents. No model and no sandbox is there unless `env` says where. */
export function spawnAgents(
  system: TestSystem,
  agents: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const own = {
    SUTURE_SANDBOX_URL: NOWHERE,
    OPENAI_BASE_URL: `${NOWHERE}/v1`,
    OPENAI_API_KEY: "sk-test-0123456789abcdef",
    SUTURE_LOCK_MS: "1500",
    SUTURE_STALLED_INTERVAL_MS: "500",
    LOG_LEVEL: process.env["TEST_LOG_LEVEL"] ?? "silent",
  };
  return spawnService(system, { name: "agents", args: agents, endsBy: "SIGKILL", env: { ...own, ...env } })
    .child;
}

export async function whenGone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
