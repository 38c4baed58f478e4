import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Keyring } from "#shared/envelope/keys";
import { testRedisUrl } from "#shared/testing";
import { processEnv } from "./process-env.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface AgentProcessOptions {
  readonly agents: readonly string[];
  readonly prefix: string;
  readonly keyring: Keyring;
  readonly modelUrl: string;
  readonly sandboxUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A real worker process, as it is deployed: `services/agents/main.ts` with an environment and nothing else. */
export function spawnAgents(options: AgentProcessOptions): ChildProcess {
  const dataDir = temporaryFolder();
  const keys = join(dataDir, "keys.json");
  writeFileSync(keys, options.keyring.exportJson(), { mode: 0o600 });
  const child = spawn(process.execPath, ["--disable-sigusr1", "services/agents/main.ts", ...options.agents], {
    cwd: process.cwd(),
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...processEnv(),
      REDIS_URL: testRedisUrl(),
      SUTURE_PREFIX: options.prefix,
      SUTURE_KEYS: `@${keys}`,
      SUTURE_DATA_DIR: dataDir,
      SUTURE_SANDBOX_URL: options.sandboxUrl,
      OPENAI_BASE_URL: options.modelUrl,
      OPENAI_API_KEY: "sk-test-0123456789abcdef",
      SUTURE_LOCK_MS: "1500",
      SUTURE_STALLED_INTERVAL_MS: "500",
      LOG_LEVEL: process.env["TEST_LOG_LEVEL"] ?? "silent",
      ...options.env,
    },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

/** Resolves when the process is gone. */
export function whenGone(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once("exit", () => resolve()));
}
