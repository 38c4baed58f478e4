import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../testing/repair-in-memory.ts";
import { runBounded } from "./run-bounded.ts";
import type { BoundedCommand } from "./run-bounded.ts";

const BOUNDS = { timeMs: 20_000, outputBytesMax: 10_000, memoryBytesMax: 1e9, writtenBytesMax: 1e6 };
const LOOP = "for (;;);";

function run(script: string, more: Partial<BoundedCommand> = {}) {
  const pids: number[] = [];
  const command: BoundedCommand = {
    command: [process.execPath, "--eval", script],
    folder: "/",
    env: {},
    bounds: BOUNDS,
    signal: new AbortController().signal,
    onGroup: async (pid) => void pids.push(pid),
    ...more,
  };
  return { pids, end: runBounded(command) };
}

function isGroupAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

const whenGroupIsGone = (pid: number) =>
  vi.waitFor(() => expect(isGroupAlive(pid)).toBe(false), { timeout: 15_000, interval: 50 });

describe("a bounded process", () => {
  test("tells its code and what it said", async () => {
    const end = await run("console.log('a'); console.error('b'); process.exit(3)").end;
    expect(end).toMatchObject({ exitCode: 3, stopped: null });
    expect(end.output).toContain("a");
    expect(end.output).toContain("b");
  });

  test("has nothing of our environment", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-secret");
    vi.stubEnv("HTTPS_PROXY", "http://proxy.example");
    const { output } = await run("console.log(JSON.stringify(process.env))", { env: { ONLY: "this" } }).end;
    expect(output).toContain('"ONLY":"this"');
    expect(output).not.toContain("secret");
    expect(output).not.toContain("proxy");
  });

  test.each([
    ["time", LOOP, { timeMs: 300 }],
    ["output", "for (;;) console.log('x'.repeat(1000))", {}],
    [
      "memory",
      "const all = []; setInterval(() => all.push(Buffer.alloc(2e7, 1)), 5)",
      { memoryBytesMax: 2e8 },
    ],
  ])("is killed at its bound of %s, with its whole group", async (bound, script, more) => {
    const { pids, end } = run(script, { bounds: { ...BOUNDS, ...more } });
    expect((await end).stopped).toBe(bound);
    expect((await end).output.length).toBeLessThanOrEqual(BOUNDS.outputBytesMax);
    await whenGroupIsGone(pids[0] ?? 0);
  });

  test("leaves nothing running that it started", async () => {
    const script = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(LOOP)}], { stdio: "inherit" }); setTimeout(() => process.exit(0), 200)`;
    const { pids, end } = run(script);
    expect(await end).toMatchObject({ exitCode: 0, stopped: null });
    await whenGroupIsGone(pids[0] ?? 0);
  });

  test("is killed when the work is given up", async () => {
    const giveUp = new AbortController();
    const { pids, end } = run(LOOP, { signal: giveUp.signal });
    await vi.waitFor(() => expect(pids).toHaveLength(1));
    giveUp.abort(new Error("given up"));
    await expect(end).rejects.toThrow("given up");
    await whenGroupIsGone(pids[0] ?? 0);
  });

  test("does not outlive whoever watches it, even in a loop that never yields", async () => {
    const pidFile = join(temporaryFolder(), "pid");
    const watcher = spawn(
      process.execPath,
      [new URL("../testing/bounded-process.ts", import.meta.url).pathname, pidFile, LOOP],
      {
        stdio: "inherit",
      },
    );
    onTestFinished(() => void watcher.kill("SIGKILL"));
    await vi.waitFor(() => expect(existsSync(pidFile) && readFileSync(pidFile, "utf8")).toBeTruthy(), {
      timeout: 20_000,
    });
    const pid = Number(readFileSync(pidFile, "utf8"));
    expect(isGroupAlive(pid)).toBe(true);
    watcher.kill("SIGKILL");
    await whenGroupIsGone(pid);
  });
});
