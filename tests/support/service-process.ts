import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { testRedisUrl } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { processEnv } from "./process-env.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Returns what it has logged so far, one entry a line. */
  readonly log: () => Record<string, unknown>[];
  /** Returns the whole of its output. */
  readonly output: () => string;
}

/** Starts a service as it is deployed, on the test system's Redis and with its keys. Stops it after the test. */
export function spawnService(
  system: TestSystem,
  service: {
    readonly name: string;
    readonly args?: readonly string[];
    readonly env: Readonly<Record<string, string>>;
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
    if (child.exitCode === null && child.signalCode === null && child.kill("SIGTERM"))
      await once(child, "exit");
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
