import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { spawnLauncher } from "./support/run-cli.ts";
import { temporaryFolder } from "#shared/testing";

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

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

/** Processes by name, as the launcher writes them down; empty before it does. */
function readProcesses(): Record<string, number> {
  try {
    const run = JSON.parse(readFileSync(join(folder, "demo", "run.json"), "utf8"));
    const children = run.children.map(({ name, pid }: { name: string; pid: number }) => [name, pid]);
    return Object.fromEntries([...children, ["redis", run.redis_pid]]);
  } catch {
    return {};
  }
}

it("loses nothing and pays nothing twice while each of its processes is killed once", async () => {
  const file = join(folder, "out.json");
  const args = ["demo", "--exit", "--within", "300", "--json", file, "--processes", "2"];
  const { child, output, ended } = spawnLauncher(args, folder);
  onTestFinished(() => void child.kill("SIGTERM"));
  await expect.poll(output, { timeout: 90_000, interval: 100 }).toContain("Sending");
  const names = Object.keys(readProcesses());
  expect(names).toEqual(
    expect.arrayContaining(["gateway", "surgeon", "agents-1", "agents-2", "console", "redis"]),
  );
  const killed: string[] = [];
  for (const name of names) {
    await new Promise((resolve) => setTimeout(resolve, 900));
    const pid = readProcesses()[name];
    if (child.exitCode !== null || pid === undefined) break;
    process.kill(pid, "SIGKILL");
    killed.push(name);
  }
  const code = await ended;
  expect(killed.length, "a run in which no fault struck proves nothing").toBeGreaterThan(3);
  expect(code, output().slice(-3000)).toBe(0);
  // The demo's own format, which the interface page lists.
  const summary = JSON.parse(readFileSync(file, "utf8")) as Summary;
  const { submitted, completed, failed, cancelled, expired, waiting } = summary;
  expect(submitted).toBe(completed + failed + cancelled + expired + waiting);
  expect(summary.lost).toBe(0);
  expect(summary.payments.paid_twice).toEqual([]);
  expect(summary.payments.refunds).toBeGreaterThan(0);
  // The procedure that heals each one depends on when the kills struck; that healing went on does not.
  expect(Object.values(summary.repaired).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(3);
  expect(summary.quarantined).toBeGreaterThan(0);
}, 480_000);
