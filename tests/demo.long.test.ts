import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { processEnv } from "./support/process-env.ts";

/** The main job as a person starts it: real processes, a private Redis of its own, every sample of the team. */

interface Summary {
  readonly submitted: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly expired: number;
  readonly waiting: number;
  readonly lost: number;
  readonly repaired: Readonly<Record<"recipe" | "first_aid" | "model" | "person", number>>;
  readonly quarantined: number;
  readonly rehearsal: boolean;
  readonly payments: { readonly refunds: number; readonly paid_twice: readonly string[] };
}

interface Demo {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Processes by name, as the launcher writes them down; empty before it does. */
  readonly processes: () => Record<string, number>;
  readonly ended: Promise<{ code: number | null; summary: Summary }>;
}

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "suture-demo-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

function startDemo(env: Readonly<Record<string, string>> = {}, args: readonly string[] = []): Demo {
  const file = join(folder, "out.json");
  const child = spawn(
    process.execPath,
    ["services/cli/main.ts", "demo", "--exit", "--within", "300", "--json", file, ...args],
    {
      env: {
        ...processEnv(),
        HOME: process.env["HOME"] ?? folder,
        SUTURE_DATA_DIR: folder,
        SUTURE_GATEWAY_PORT: "0",
        SUTURE_CONSOLE_PORT: "0",
        SUTURE_REHEARSAL_PORT: "0",
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
  onTestFinished(() => void child.kill("SIGTERM"));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve)).then((code) => ({
    code,
    // The demo's own format, which the interface page lists.
    summary: JSON.parse(readFileSync(file, "utf8")) as Summary,
  }));
  return { child, output: () => output, processes: readProcesses, ended };
}

function readProcesses(): Record<string, number> {
  try {
    const run = JSON.parse(readFileSync(join(folder, "demo", "run.json"), "utf8"));
    const children = run.children.map(({ name, pid }: { name: string; pid: number }) => [name, pid]);
    return Object.fromEntries([...children, ["redis", run.redis_pid]]);
  } catch {
    return {};
  }
}

function expectAllAccountedFor(summary: Summary): void {
  const { submitted, completed, failed, cancelled, expired, waiting } = summary;
  expect(submitted).toBe(completed + failed + cancelled + expired + waiting);
  expect(summary.lost).toBe(0);
  expect(summary.payments.paid_twice).toEqual([]);
  expect(summary.payments.refunds).toBeGreaterThan(0);
}

it("loses nothing and pays nothing twice while each of its processes is killed once", async () => {
  const demo = startDemo({}, ["--processes", "2"]);
  await expect.poll(demo.output, { timeout: 90_000, interval: 100 }).toContain("Sending");
  const names = Object.keys(demo.processes());
  expect(names).toEqual(
    expect.arrayContaining(["gateway", "surgeon", "agents-1", "agents-2", "console", "redis"]),
  );
  const killed: string[] = [];
  for (const name of names) {
    await new Promise((resolve) => setTimeout(resolve, 900));
    const pid = demo.processes()[name];
    if (demo.child.exitCode !== null || pid === undefined) break;
    process.kill(pid, "SIGKILL");
    killed.push(name);
  }
  const { code, summary } = await demo.ended;
  expect(killed.length, "a run in which no fault struck proves nothing").toBeGreaterThan(3);
  expect(code, demo.output().slice(-3000)).toBe(0);
  expectAllAccountedFor(summary);
  // Which procedure heals what depends on when the kills struck; that healing went on does not.
  expect(Object.values(summary.repaired).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(3);
  expect(summary.quarantined).toBeGreaterThan(0);
}, 480_000);
