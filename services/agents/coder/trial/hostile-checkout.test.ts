import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { writeProject } from "../testing/repair-in-memory.ts";
import { testReport } from "./report.ts";

const TRY = new URL("../testing/try-checkout.ts", import.meta.url).pathname;

/** The first lines of a test file that tells what it could steal as the message of a test that fails. */
const HEAD = `
import { test } from "node:test";
import { readFileSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
`;

/** Tries a checkout whose tests attack in a process that holds a secret. */
async function tryHostile(source: string): Promise<string> {
  const folder = temporaryFolder();
  writeProject(join(folder, "checkout"), {
    "package.json": '{ "type": "module" }',
    "test/hostile.test.js": HEAD + source,
  });
  const child = spawn(process.execPath, [TRY, join(folder, "checkout"), join(folder, "scratch")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return text(child.stdout);
}

describe.skipIf(process.platform !== "linux")("a checkout whose tests are hostile", () => {
  test("is red when it floods its report, closes it, or leaves a link in its place", async () => {
    for (const source of [
      `test("ok", () => {}); for (let i = 0; i < 1e5; i += 1) writeSync(3, "x".repeat(1000) + "\\n");`,
      `test("ok", () => {}); writeSync(3, '<testsuites><testcase name="a"/></testsuites>'); process.exit(1);`,
      `symlinkSync("/etc/passwd", "../report.jsonl"); symlinkSync("/etc/passwd", "report.jsonl"); throw new Error("no");`,
    ]) {
      const said = await tryHostile(source);
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
    const said = await tryHostile(
      `writeSync(3, '[{"name":"made up","hasPassed":true,"text":""}]'); process.exit(0);`,
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
