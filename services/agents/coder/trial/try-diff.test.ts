import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, utimesSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { setCodeIsolation } from "#shared/sandbox";
import { temporaryFolder } from "#shared/testing";
import { openTrial, writeProject, writeDiff } from "../testing/repair.ts";
import { testReport } from "./report.ts";
import { TRIAL_LIMITS_DEFAULT } from "./run-tests.ts";
import { sweepScratch, tryDiff, withScratch } from "./try-diff.ts";

const SOURCE = "export const add = (a, b) => a - b;\n";
const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../src/add.js";
test("adds", () => assert.equal(add(1, 2), 3));
test("adds nothing", () => assert.equal(add(1, 0), 1));
`;
const FILES = { "package.json": '{"type":"module"}', "src/add.js": SOURCE, "test/add.test.js": TEST };

const open = (files: Readonly<Record<string, string>> = FILES) => openTrial(files);

const toAdd = (after: string): string => writeDiff("src/add.js", SOURCE, after);

describe("a trial", () => {
  test("tells what fails in the checkout as it is, with what was expected and where", async () => {
    const { verdict, report } = await tryDiff(open());
    expect(verdict).toBe("red");
    expect(report).toMatchObject({ passed: 1, failed: 1, unloaded: 0 });
    expect(report?.failing).toMatchObject([
      { file: "test/add.test.js", name: "adds", message: expect.stringContaining("-1 !== 3"), line: 4 },
    ]);
  });

  test("is green with the right diff, leaves no copy behind and never touches the checkout", async () => {
    const trial = open();
    const before = (await tryDiff(trial)).report;
    const { verdict, report } = await tryDiff({ ...trial, before, diff: toAdd(SOURCE.replace("-", "+")) });
    expect({ verdict, passed: report?.passed }).toEqual({ verdict: "green", passed: 2 });
    expect(readFileSync(join(trial.root, "src/add.js"), "utf8")).toBe(SOURCE);
    expect(readdirSync(trial.scratchDir)).toEqual([]);
  });

  test("is made again where its process was killed without a word, and says so where that repeats", async () => {
    const dying = (when: string): string =>
      `import { existsSync, writeFileSync } from "node:fs";
const isFirst = !existsSync("seen");
writeFileSync("seen", "");
if (${when}) process.kill(process.pid, "SIGKILL");
${TEST}`;
    // Without isolation the copy is the same one for each start, so that the second can tell that it is.
    setCodeIsolation("off");
    onTestFinished(() => setCodeIsolation("require"));
    const once = await tryDiff(open({ ...FILES, "test/add.test.js": dying("isFirst") }));
    expect(once.report).toMatchObject({ passed: 1, failed: 1, unloaded: 0 });
    const always = await tryDiff(open({ ...FILES, "test/add.test.js": dying("true") }));
    expect(always.report).toMatchObject({ unloaded: 1, failing: [{ name: "" }] });
    expect(always.report?.failing[0]?.message).toMatch(/ended with SIGKILL/);
  });

  test("says the same when it is made twice", async () => {
    const trial = open();
    expect(await tryDiff(trial)).toEqual(await tryDiff(trial));
  });

  test("refuses a diff that changes the tests to pass, and says so", async () => {
    const diff = writeDiff("test/add.test.js", TEST, TEST.replace("3)", "-1)"));
    const result = await tryDiff({ ...open(), diff });
    expect(result).toEqual({
      verdict: "refused",
      told: "test/add.test.js changes the tests that judge it",
      report: null,
    });
  });

  test("says why a diff does not fit", async () => {
    const diff = writeDiff("src/add.js", "other\n", "text\n");
    const result = await tryDiff({ ...open(), diff });
    expect(result).toMatchObject({
      verdict: "does_not_apply",
      told: expect.stringContaining("src/add.js: a hunk"),
    });
  });

  test.each([
    ["ends the process with success", "process.exit(0);\n"],
    ["never gets to its tests", "throw new Error('no');\n"],
    ["waits for ever", "await new Promise(() => setInterval(() => {}, 1000));\n"],
    [
      "reads what is none of its business",
      'import { readFileSync } from "node:fs";\nreadFileSync("/etc/hostname");\n',
    ],
    ["starts a process", 'import { execSync } from "node:child_process";\nexecSync("true");\n'],
  ])("is red with a diff that %s", async (_, head) => {
    const trial = open();
    const before = (await tryDiff(trial)).report;
    const limits = { ...TRIAL_LIMITS_DEFAULT, start: { ...TRIAL_LIMITS_DEFAULT.start, timeMs: 4000 } };
    const right = SOURCE.replace("-", "+");
    const { verdict, report } = await tryDiff({ ...trial, before, limits, diff: toAdd(head + right) });
    expect(verdict).toBe("red");
    expect(report?.failing.length).toBeGreaterThan(0);
  });

  test("is red when tests that there were do not run any more", async () => {
    const files = {
      ...FILES,
      "test/add.test.js": TEST.replace('test("adds nothing"', 'if (add.isWhole) test("adds nothing"'),
    };
    const trial = open({ ...files, "src/add.js": `${SOURCE}add.isWhole = true;\n` });
    const before = (await tryDiff(trial)).report;
    const diff = writeDiff("src/add.js", `${SOURCE}add.isWhole = true;\n`, SOURCE.replace("-", "+"));
    const { verdict, report } = await tryDiff({ ...trial, before, diff });
    expect(verdict).toBe("red");
    expect(report?.failing).toMatchObject([{ message: "Only 1 of 2 tests ran." }]);
  });

  test("runs no part of a suite of more files than it may start", async () => {
    const limits = { ...TRIAL_LIMITS_DEFAULT, testFilesMax: 1 };
    const files = { ...FILES, "test/more.test.js": TEST };
    const more = { verdict: "no_tests", told: expect.stringContaining("more than 1 test files") };
    expect(await tryDiff({ ...open(files), limits })).toMatchObject(more);
  });

  test("tells a project without tests", async () => {
    const files = { "package.json": "{}", "src/add.js": SOURCE };
    expect(await tryDiff(open(files))).toMatchObject({ verdict: "no_tests" });
  });
});

describe("scratch copies", () => {
  test("go when the work in them fails", async () => {
    const scratchDir = join(temporaryFolder(), "scratch");
    await expect(withScratch(scratchDir, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(readdirSync(scratchDir)).toEqual([]);
  });

  test("that are older than any trial are removed", async () => {
    const scratchDir = temporaryFolder();
    const [old, young, unrelated] = ["trial-old", "trial-young", "kept"].map((name) =>
      join(scratchDir, name),
    );
    for (const folder of [old, young, unrelated]) mkdirSync(folder ?? "");
    for (const folder of [old, unrelated]) utimesSync(folder ?? "", 0, 0);
    expect(await sweepScratch(scratchDir)).toBe(1);
    expect(readdirSync(scratchDir).toSorted()).toEqual(["kept", "trial-young"]);
  });
});

const TRY = new URL("../testing/try-checkout.ts", import.meta.url).pathname;

/** The first lines of a test file that tells what it could steal as the message of a test that fails. */
const HEAD = `
import { test } from "node:test";
import { readFileSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
`;

/** Tries a checkout whose tests attack in a process that holds a secret. */
async function tryHostile(
  source: string,
  folder = temporaryFolder(),
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  writeProject(join(folder, "checkout"), {
    "package.json": '{ "type": "module" }',
    "test/a.test.js": HEAD + source,
    ...more,
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
    const change = `test("changes the source", () => { writeFileSync("src/value.js", "export const value = 2;"); });`;
    const said = await tryHostile(change, folder, {
      "src/value.js": "export const value = 1;\n",
      "test/b.test.js": `${HEAD}import { equal } from "node:assert";\ntest("has its own", async () => { equal((await import("../src/value.js")).value, 1); });`,
    });
    expect(said).toMatch(/"verdict":"green"/);
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
