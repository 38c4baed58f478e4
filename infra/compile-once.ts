import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** Sources of the processes that tests start. */
const PARTS = [
  "services/agents/open-agents.ts",
  "services/bridge/start-bridge.ts",
  "services/cli/create-program.ts",
  "services/console/server.ts",
  "services/gateway/server.ts",
  "services/rehearsal/server.ts",
  "services/relay/start-relay.ts",
  "services/surgeon/start-surgeon.ts",
];

const WITHIN_MS = 120_000;

/**
 * Compiles our services once for all processes that tests start (V8 compile cache): most are killed and would cache
 * nothing. Without it each process compiles for itself, which is slower.
 */
export default function compileOnce(project: TestProject): void {
  const folder = project.config.env["NODE_COMPILE_CACHE"];
  if (typeof folder !== "string" || existsSync(folder)) return;
  const urls = PARTS.map((part) => new URL(`file://${join(project.config.root, part)}`).href);
  const script = `await Promise.all(${JSON.stringify(urls)}.map((url) => import(url))); process.exit(0);`;
  spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: project.config.root,
    env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: folder },
    stdio: "ignore",
    timeout: WITHIN_MS,
  });
}
