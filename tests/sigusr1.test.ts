import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { sleep } from "#shared/clock";
import { processEnv } from "./support/process-env.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const runFile = z.object({
  pid: z.int(),
  console_url: z.string(),
  children: z.array(z.object({ name: z.string(), pid: z.int() })),
});

/** How long an inspector may take to say that it listens. */
const OPENS_WITHIN_MS = 2000;

/** The signal with which every program of the same user would open Node's inspector, and read all that is in memory. */
test("SIGUSR1 opens an inspector in no process that npm start starts, and waived isolation is told", async () => {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, ["infra/suture.mjs", "up", "--processes", "2"], {
    env: {
      ...processEnv(),
      HOME: process.env["HOME"] ?? folder,
      SUTURE_DATA_DIR: folder,
      SUTURE_GATEWAY_PORT: "0",
      SUTURE_CONSOLE_PORT: "0",
      SUTURE_REHEARSAL_PORT: "0",
      SUTURE_CODE_ISOLATION: "off",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  const run = await vi.waitFor(
    () => runFile.parse(JSON.parse(readFileSync(join(folder, "run.json"), "utf8"))),
    { timeout: 90_000, interval: 200 },
  );
  const names = run.children.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["gateway", "surgeon", "agents-1", "agents-2", "rehearsal"]));
  const pids = [child.pid ?? 0, run.pid, ...run.children.map(({ pid }) => pid)];
  expect(new Set(pids).size).toBe(pids.length);
  for (const pid of pids) process.kill(pid, "SIGUSR1");
  await sleep(OPENS_WITHIN_MS);
  for (const pid of pids) expect(() => process.kill(pid, 0)).not.toThrow();
  const logs = readdirSync(join(folder, "logs")).map((name) =>
    readFileSync(join(folder, "logs", name), "utf8"),
  );
  expect(logs.length).toBeGreaterThanOrEqual(run.children.length);
  expect(output).toMatch(/WARNING: SUTURE_CODE_ISOLATION=off/);
  expect(logs.filter((text) => text.includes("SUTURE_CODE_ISOLATION=off"))).toHaveLength(2);
  expect([output, ...logs].filter((text) => text.includes("Debugger listening"))).toEqual([]);
}, 150_000);
