import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeDiff } from "../proof/prove-fix.ts";
import { TRIAL_LIMITS_DEFAULT } from "../limits.ts";
import { temporaryFolder, writeProject } from "../testing/repair-in-memory.ts";
import { tryDiff } from "../trial/try-diff.ts";
import type { Trial, TrialResult } from "../trial/try-diff.ts";
import { detectRunner } from "./pick-runner.ts";

const MODULES = new URL("../../../../node_modules", import.meta.url).pathname;

type Files = Readonly<Record<string, string>>;

function run(files: Files, more: Partial<Trial> = {}): Promise<TrialResult> {
  const base = temporaryFolder();
  writeProject(join(base, "project"), files);
  return tryDiff({
    root: join(base, "project"),
    scratchDir: join(base, "scratch"),
    diff: null,
    allowed: { editable: [], tests: [] },
    before: null,
    limits: TRIAL_LIMITS_DEFAULT,
    modules: MODULES,
    signal: new AbortController().signal,
    ...more,
  });
}

/** The reason to skip tests of Vitest on this machine; null for none. */
const missing = existsSync(join(MODULES, "vitest")) ? null : "vitest is not installed";

describe("vitest, the real one", () => {
  const source = "src/add.ts";
  const wrong = "export const add = (a: number, b: number): number => a - b;\n";
  const right = "export const add = (a: number, b: number): number => a + b;\n";
  const testPath = "src/add.test.ts";
  const testText =
    'import { expect, test } from "vitest";\nimport { add } from "./add.ts";\ntest("adds", () => expect(add(1, 2)).toBe(3));\ntest("adds nothing", () => expect(add(1, 0)).toBe(1));\n';
  const project = {
    "package.json": '{"type":"module","devDependencies":{"vitest":"*"}}',
    [source]: wrong,
    [testPath]: testText,
  };

  test("tells what fails with values and places, and is green with the right diff", async (context) => {
    context.skip(missing !== null, missing ?? "");
    const before = await run(project);
    expect(before).toMatchObject({
      verdict: "red",
      runner: "vitest",
      report: {
        passed: 1,
        failed: 1,
        unloaded: 0,
        failing: [{ file: testPath, message: expect.stringMatching(/-1.*3/) }],
      },
    });
    expect(before.report?.failing[0]?.frames.some(({ path }) => path === testPath)).toBe(true);
    const after = await run(project, { diff: writeDiff(source, wrong, right), before: before.report });
    expect(after).toMatchObject({ verdict: "green", report: { passed: 2 } });
  }, 120_000);

  test("says that code which cannot be read did not load, and never that it passed", async (context) => {
    context.skip(missing !== null, missing ?? "");
    const { verdict, report } = await run({ ...project, [source]: `${wrong}\n((((\n` });
    expect(verdict).toBe("red");
    expect(report).toMatchObject({ passed: 0, unloaded: 1, failing: [{ name: "" }] });
  }, 120_000);

  test("runs a written test besides", async (context) => {
    context.skip(missing !== null, missing ?? "");
    const written = [{ path: "src/also.test.ts", text: testText }];
    const { report } = await run({ ...project, [source]: right }, { written });
    expect(report).toMatchObject({ passed: 4, failed: 0 });
  }, 120_000);
});

test("a tool that the checkout does not have is told", async () => {
  const files = { "package.json": '{"scripts":{"test":"jest"}}', "a.test.js": "" };
  expect(await run(files, { modules: null })).toMatchObject({
    verdict: "no_runner",
    told: "jest: jest is not among the checkout's dependencies",
  });
});

test.each<[string, Files, string]>([
  [
    "a script of package.json",
    { "package.json": '{"scripts":{"test":"vitest run"}}', "a.test.js": "" },
    "vitest",
  ],
  ["a dependency", { "package.json": '{"devDependencies":{"jest":"1"}}', "a.test.js": "" }, "jest"],
  [
    "node --test beside another tool",
    { "package.json": '{"scripts":{"test":"node --test"},"devDependencies":{"vitest":"1"}}' },
    "node:test",
  ],
  ["nothing but test files", { "test/a.test.js": "" }, "node:test"],
  ["a package.json that cannot be read", { "package.json": "{", "a.test.js": "" }, "node:test"],
])("the runner is detected by %s", async (_, files, wanted) => {
  const read = async (path: string): Promise<string> => files[path] ?? "";
  expect(await detectRunner({ paths: Object.keys(files), read })).toBe(wanted);
});
