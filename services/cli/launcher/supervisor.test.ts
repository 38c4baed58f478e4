import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync, closeSync, existsSync, openSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi, it, onTestFinished } from "vitest";
import { temporaryFolder } from "#shared/testing";
import type { ServiceSpec } from "./spawn-service.ts";
import { Supervisor, limitLog } from "./supervisor.ts";

let folder: string;
let said: string[];
let supervisor: Supervisor;

function specOf(name: string, code: string): ServiceSpec {
  const script = join(folder, `${name}.mjs`);
  writeFileSync(script, code);
  return {
    name,
    script,
    args: [],
    agents: [],
    env: { PATH: process.env["PATH"] ?? "" },
    logFile: join(folder, `${name}.log`),
  };
}

const pidOf = (name: string): number | undefined =>
  supervisor.running().find((one) => one.name === name)?.pid;

beforeEach(() => {
  folder = temporaryFolder();
  said = [];
  supervisor = new Supervisor({
    restartDelayMsMax: 50,
    say: (line) => said.push(line),
  });
});
afterEach(async () => {
  await supervisor.stop([], 200);
});

const WAITS = "setInterval(() => {}, 1000);";
const SAYS_BYE =
  'process.on("SIGTERM", () => { console.log("bye"); process.exit(0); }); console.log("up"); setInterval(() => {}, 1000);';

describe("the supervisor", () => {
  test("starts a killed process again", async () => {
    supervisor.start(specOf("one", WAITS));
    const first = await vi.waitUntil(() => pidOf("one"), { timeout: 60_000 });
    process.kill(first, "SIGKILL");
    const second = await vi.waitUntil(() => (pidOf("one") === first ? undefined : pidOf("one")), {
      timeout: 60_000,
    });
    expect(second).not.toBe(first);
    expect(said).toEqual(["one was ended by SIGKILL; starting it again."]);
  });

  test("stops a process cleanly and does not start it again", async () => {
    const spec = specOf("one", SAYS_BYE);
    supervisor.start(spec);
    await vi.waitUntil(() => readLog(spec).includes("up"), { timeout: 60_000 });
    await supervisor.stop([], 5000);
    expect(readLog(spec)).toContain("bye");
    expect(supervisor.running()).toEqual([]);
  });

  test("forces a process that does not heed", async () => {
    const spec = specOf("one", `process.on("SIGTERM", () => {}); console.log("up"); ${WAITS}`);
    supervisor.start(spec);
    await vi.waitUntil(() => readLog(spec).includes("up"), { timeout: 60_000 });
    await supervisor.stop([], 100);
    expect(supervisor.running()).toEqual([]);
  });

  test("says at once that a port was taken after it was chosen, and takes no other program for the service", async () => {
    const other = createServer((_, response) => response.end("ok")).listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const { port = 0 } = Object(other.address());
    const spec: ServiceSpec = {
      ...specOf("rehearsal", ""),
      script: join(import.meta.dirname, "../../rehearsal/main.ts"),
      env: { PATH: process.env["PATH"] ?? "", SUTURE_DATA_DIR: folder, SUTURE_REHEARSAL_PORT: String(port) },
    };
    supervisor.start(spec);
    await expect(supervisor.failed).rejects.toMatchObject({
      code: "SERVICE_FAILED",
      message: expect.stringMatching(
        new RegExp(`cannot start: Port ${port}, .* is taken .* set SUTURE_REHEARSAL_PORT`),
      ),
    });
    expect(supervisor.isOpen(spec)).toBe(false);
    expect(said).toHaveLength(1);
  });

  test("gives up on a process that keeps failing, and shows the end of its log", async () => {
    supervisor.start(specOf("one", 'console.error("no luck"); process.exit(3);'));
    await expect(supervisor.failed).rejects.toMatchObject({ code: "SERVICE_FAILED" });
    expect(supervisor.givenUp.aborted).toBe(true);
    expect(said).toContain("  one| no luck");
    expect(said.at(-2)).toContain("no luck");
  });
});

function readLog({ logFile }: ServiceSpec): string {
  try {
    return readFileSync(logFile, "utf8");
  } catch {
    return "";
  }
}

it("bounds the log of a process that never ends, which goes on writing", async () => {
  const file = join(folder, "x.log");
  const log = openSync(file, "a", 0o600);
  const child = spawn(process.execPath, ["-e", "setInterval(() => console.log('x'.repeat(999)), 1)"], {
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const bytes = (): number => statSync(file).size;
  expect(limitLog(file, 20_000)).toBe(false);
  expect(existsSync(`${file}.1`)).toBe(false);
  for (let time = 0; time < 2; time += 1) {
    await expect.poll(bytes).toBeGreaterThan(20_000);
    expect(limitLog(file, 20_000)).toBe(true);
    expect(statSync(`${file}.1`).size).toBeGreaterThan(20_000);
  }
  await expect.poll(bytes).toBeGreaterThan(0);
});
