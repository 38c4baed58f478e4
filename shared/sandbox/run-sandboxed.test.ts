import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { findTool } from "./in-namespaces.ts";
import { runSandboxed, setCodeIsolation, findMissingIsolation } from "./run-sandboxed.ts";
import { sandboxed, TEST_BOUNDS } from "./testing/sandboxed.ts";
import type { TestCommand } from "./testing/sandboxed.ts";

const LOOP = "for (;;);";

afterEach(() => setCodeIsolation("require"));

function run(script: string, more: TestCommand = {}) {
  const pids: number[] = [];
  const onGroup = async (pid: number): Promise<void> => void pids.push(pid);
  return { pids, end: runSandboxed(sandboxed(script, { onGroup, ...more })) };
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
  vi.waitFor(() => expect(isGroupAlive(pid)).toBe(false), { timeout: 60_000, interval: 50 });

describe.each(["require", "off"] as const)("a command, with isolation %s,", (isolation) => {
  beforeEach(() => setCodeIsolation(isolation));

  test("tells its code, what it said, and its result", async () => {
    const script =
      "console.log('a'); console.error('b'); fs.writeSync(3, 'c' + fs.readFileSync(0)); process.exit(3)";
    const end = await run(script, { input: Buffer.from("d") }).end;
    expect(end).toMatchObject({ exitCode: 3, signal: null, stopped: null, result: "cd" });
    expect(end.output).toContain("a");
    expect(end.output).toContain("b");
  });

  test("has nothing of our environment", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-secret");
    vi.stubEnv("HTTPS_PROXY", "http://proxy.example");
    vi.stubEnv("NODE_OPTIONS", "--no-warnings");
    const { output } = await run("console.log(JSON.stringify(process.env))", {
      env: () => ({ ONLY: "this" }),
    }).end;
    expect(output).toContain('"ONLY":"this"');
    expect(output).not.toMatch(/secret|proxy|warnings/);
  });

  test.each([
    ["time", LOOP, { timeMs: 700 }],
    ["output", "for (;;) console.log('x'.repeat(1000))", {}],
    ["output", "for (;;) fs.writeSync(1, 'x')", {}],
    ["output", "for (;;) fs.writeSync(3, 'x'.repeat(1000))", {}],
    [
      "memory",
      "const all = []; setInterval(() => all.push(Buffer.alloc(2e7, 1)), 5)",
      { memoryBytesMax: 2e8 },
    ],
  ])("is killed at its bound of %s, with its whole group: %s", async (bound, script, more) => {
    const { pids, end } = run(script, { bounds: more });
    expect((await end).stopped).toBe(bound);
    expect((await end).output.length).toBeLessThanOrEqual(TEST_BOUNDS.outputBytesMax);
    expect((await end).result.length).toBeLessThanOrEqual(TEST_BOUNDS.resultBytesMax);
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
    const folder = temporaryFolder();
    const pidFile = join(folder, "pid");
    const script = new URL("testing/watching-process.ts", import.meta.url).pathname;
    const watcher = spawn(process.execPath, [script, isolation, pidFile, LOOP], { stdio: "inherit" });
    onTestFinished(() => void watcher.kill("SIGKILL"));
    await vi.waitFor(() => expect(existsSync(pidFile) && readFileSync(pidFile, "utf8")).toBeTruthy(), {
      timeout: 60_000,
    });
    const pid = Number(readFileSync(pidFile, "utf8"));
    expect(isGroupAlive(pid)).toBe(true);
    watcher.kill("SIGKILL");
    await whenGroupIsGone(pid);
  });
});

const DOOR = fileURLToPath(new URL("run-sandboxed.ts", import.meta.url));
const TELL = `import { findMissingIsolation } from ${JSON.stringify(DOOR)}; process.stdout.write(String(await findMissingIsolation()));`;

/** Returns the findings of a process that was started by these programs, one calling the next. */
function findAs(programs: readonly string[]): Promise<string> {
  const [command = "", ...before] = programs;
  const node = command === process.execPath ? [] : [process.execPath];
  const args = [...before, ...node, "--input-type=module", "--eval", TELL];
  return text(spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] }).stdout);
}

describe.skipIf(process.platform !== "linux")("the probe", () => {
  test("finds nothing missing where these tests run", async () => {
    expect(await findMissingIsolation()).toBeNull();
  });

  test.skipIf(process.getuid?.() !== 0)("names the capability that root lacks in a container", async () => {
    const without = ["--bounding-set=-sys_admin", "--inh-caps=-sys_admin"];
    expect(await findAs([findTool("setpriv"), ...without])).toMatch(/unshare failed.*SYS_ADMIN/s);
  });

  test("names a system that has no namespaces", async () => {
    const mac = 'Object.defineProperty(process, "platform", { value: "darwin" });';
    expect(await findAs([process.execPath, "--import", `data:text/javascript,${mac}`])).toContain("darwin");
  });
});
