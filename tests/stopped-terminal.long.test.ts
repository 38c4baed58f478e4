import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sleep } from "#shared/clock";
import { processEnv } from "./support/process-env.ts";
import { temporaryFolder } from "#shared/testing";

/** `npm start` in a terminal of its own, ended in every way that a person ends it: nothing of it may stay. */

/** Services that are asked by a closed channel alone have this long to end, and Redis comes after them. */
const GONE_MS = 60_000;
const hasTerminal = spawnSync("script", ["--version"]).status === 0;

interface Terminal {
  readonly script: ChildProcess;
  readonly dataDir: string;
  readonly said: () => string;
}

function openTerminal(): Terminal {
  const dataDir = temporaryFolder();
  const command = "npm start -- --port 0 --console-port 0 --rehearsal-port 0";
  const script = spawn("script", ["-qfec", command, "/dev/null"], {
    env: {
      ...processEnv(),
      HOME: process.env["HOME"] ?? dataDir,
      SUTURE_DATA_DIR: dataDir,
      SUTURE_TEAMS: "tests/support/failing-team",
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let said = "";
  script.stdout.on("data", (chunk) => (said += String(chunk)));
  script.stdin.on("error", () => undefined);
  onTestFinished(() => {
    for (const pid of processesOf(dataDir)) process.kill(pid, "SIGKILL");
  });
  return { script, dataDir, said: () => said };
}

/** Every process with the folder on its command line or in its environment: npm, the launcher, services, Redis. */
function processesOf(dataDir: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => pid !== process.pid && belongs(pid, dataDir));
}

function belongs(pid: number, dataDir: string): boolean {
  return ["cmdline", "environ"].some((file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "utf8").includes(dataDir);
    } catch {
      return false;
    }
  });
}

function pidOf(dataDir: string, field: "pid" | "redis_pid"): number {
  return JSON.parse(readFileSync(join(dataDir, "run.json"), "utf8"))[field];
}

async function expectNothingLeft({ dataDir }: Terminal): Promise<void> {
  const left = (): string[] =>
    processesOf(dataDir).map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
  await expect.poll(left, { timeout: GONE_MS, interval: 200 }).toEqual([]);
  expect(existsSync(join(dataDir, "redis/start.lock"))).toBe(false);
}

/** Presses Ctrl+C: the terminal signals its whole foreground group, and npm passes it on once more. */
const press = ({ script }: Terminal): void => void script.stdin?.write("\u0003");

const untilReady = (terminal: Terminal): Promise<void> =>
  expect.poll(terminal.said, { timeout: 120_000 }).toContain("Ready.");

const onTerminal = it.runIf(hasTerminal && process.platform === "linux");

onTerminal("one Ctrl+C through npm is a clean stop", async () => {
  const terminal = openTerminal();
  await untilReady(terminal);
  press(terminal);
  await expect.poll(terminal.said).toContain("Stopped.");
  await expectNothingLeft(terminal);
  expect(existsSync(join(terminal.dataDir, "run.json"))).toBe(false);
});

onTerminal("a second Ctrl+C, a moment later, ends everything at once", async () => {
  const terminal = openTerminal();
  await untilReady(terminal);
  const redis = pidOf(terminal.dataDir, "redis_pid");
  // It holds the clean stop up.
  process.kill(redis, "SIGSTOP");
  press(terminal);
  await expect.poll(terminal.said).toContain("Stopping");
  await sleep(1000);
  press(terminal);
  await sleep(1000);
  process.kill(redis, "SIGCONT");
  await expectNothingLeft(terminal);
  expect(terminal.said()).not.toContain("Stopped.");
});

onTerminal.each([0.5])("Ctrl+C during the start leaves nothing (after %f of it)", async (share) => {
  const terminal = openTerminal();
  await expect.poll(terminal.said, { timeout: 120_000, interval: 20 }).toContain("Teams:");
  await sleep(4000 * share);
  press(terminal);
  await expectNothingLeft(terminal);
});

onTerminal.each([
  ["a closed terminal", ({ script }: Terminal) => script.kill("SIGKILL")],
  ["a killed launcher", ({ dataDir }: Terminal) => process.kill(pidOf(dataDir, "pid"), "SIGKILL")],
  [
    "a killed npm",
    ({ dataDir }: Terminal) => {
      const [npm] = processesOf(dataDir).filter((pid) => /^npm (?:run )?start/.test(readCommand(pid)));
      if (npm === undefined) throw new Error("no npm was found");
      process.kill(npm, "SIGKILL");
    },
  ],
])("%s leaves nothing", async (_, end) => {
  const terminal = openTerminal();
  await untilReady(terminal);
  end(terminal);
  await expectNothingLeft(terminal);
});

function readCommand(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
}
