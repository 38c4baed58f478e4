import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder, writeProject } from "../testing/repair-in-memory.ts";
import { testReport } from "./report.ts";

const TRY = new URL("../testing/try-checkout.ts", import.meta.url).pathname;
const SECRET = "sk-the-key-of-the-agents";

/** The first lines of a test file that tells what it could steal as the message of a test that fails. */
const HEAD = `
import { test } from "node:test";
import { connect } from "node:net";
import { readFileSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
`;

/** Tries a checkout whose tests attack in a process that holds a secret. */
async function tryHostile(source: string): Promise<{ said: string; logged: string; folder: string }> {
  const folder = temporaryFolder();
  writeProject(join(folder, "checkout"), {
    "package.json": '{ "type": "module" }',
    "test/hostile.test.js": HEAD + source,
  });
  const child = spawn(process.execPath, [TRY, join(folder, "checkout"), join(folder, "scratch")], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { OPENAI_API_KEY: SECRET },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said, logged] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { said, logged, folder };
}

describe.skipIf(process.platform !== "linux")("a checkout whose tests are hostile", () => {
  test("opens no inspector in the process of the agents, and takes none of its secrets", async () => {
    const { said, logged } = await tryHostile(`
test("steals", async () => {
  const seen = [];
  process.kill(process.ppid, "SIGUSR1");
  await wait(1500);
  try {
    const [{ webSocketDebuggerUrl }] = await (await fetch("http://127.0.0.1:9229/json/list")).json();
    const socket = new WebSocket(webSocketDebuggerUrl);
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    socket.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression: "JSON.stringify(process.env)" } }));
    const { data } = await new Promise((resolve) => socket.addEventListener("message", resolve));
    seen.push(data);
  } catch (error) { seen.push(String(error.cause ?? error)); }
  throw new Error(seen.join(" "));
});`);
    expect(logged).not.toContain("Debugger");
    expect(said).not.toContain(SECRET);
    expect(said).toMatch(/"verdict":"red"/);
  });

  test("reaches no server on this machine, such as Redis", async () => {
    const server = createServer((socket) => socket.end(SECRET));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { said } = await tryHostile(`
test("connects", async () => {
  const found = await new Promise((resolve) => {
    const socket = connect(${port}, "127.0.0.1");
    socket.on("data", (data) => resolve(String(data))).on("error", (error) => resolve(error.code));
  });
  throw new Error("answer: " + found);
});`);
    expect(said).toMatch(/answer: E/);
    expect(said).not.toContain(SECRET);
  });

  test("is red when it floods its report, closes it, or leaves a link in its place", async () => {
    for (const source of [
      `test("ok", () => {}); for (let i = 0; i < 1e5; i += 1) writeSync(3, "x".repeat(1000) + "\\n");`,
      `test("ok", () => {}); writeSync(3, '<testsuites><testcase name="a"/></testsuites>'); process.exit(1);`,
      `symlinkSync("/etc/passwd", "../report.jsonl"); symlinkSync("/etc/passwd", "report.jsonl"); throw new Error("no");`,
    ]) {
      const { said } = await tryHostile(source);
      expect(said).toMatch(/"verdict":"red"/);
      expect(said).not.toContain("root:");
      const { report } = JSON.parse(said) as { report: unknown };
      expect(testReport.safeParse(report).success).toBe(true);
    }
  });

  test("leaves nothing that a later test file of the same checkout would see", async () => {
    const folder = temporaryFolder();
    writeProject(join(folder, "checkout"), {
      "package.json": '{ "type": "module" }',
      "src/value.js": "export const value = 1;\n",
      "test/a.test.js": `${HEAD}test("changes the source", () => { writeFileSync("src/value.js", "export const value = 2;"); });`,
      "test/b.test.js": `${HEAD}import { equal } from "node:assert";\ntest("has its own", async () => { equal((await import("../src/value.js")).value, 1); });`,
    });
    const child = spawn(process.execPath, [TRY, join(folder, "checkout"), join(folder, "scratch")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    expect(await text(child.stdout)).toMatch(/"verdict":"green"/);
    expect(readFileSync(join(folder, "checkout/src/value.js"), "utf8")).toContain("value = 1");
  });

  test("can claim that its own tests passed: what it reports is its own word", async () => {
    const { said } = await tryHostile(
      `writeSync(3, '<testsuites><testcase name="made up"/></testsuites>'); process.exit(0);`,
    );
    expect(said).toMatch(/"verdict":"green"/);
  });
});

test("without isolation nothing is run, and the error says what is missing", async () => {
  const folder = temporaryFolder();
  writeProject(join(folder, "checkout"), {
    "package.json": '{ "type": "module" }',
    "test/a.test.js": 'import { writeFileSync } from "node:fs";\nwriteFileSync("ran", "");\n',
  });
  const hidden = join(folder, "no-tools.mjs");
  writeFileSync(hidden, 'Object.defineProperty(process, "platform", { value: "darwin" });');
  const child = spawn(
    process.execPath,
    ["--import", hidden, TRY, join(folder, "checkout"), join(folder, "scratch")],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const logged = await text(child.stderr);
  expect(logged).toMatch(/SANDBOX_UNAVAILABLE/);
  expect(logged).toMatch(/this is darwin/);
  expect(existsSync(join(folder, "checkout/ran"))).toBe(false);
});
