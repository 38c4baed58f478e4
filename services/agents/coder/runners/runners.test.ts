import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { writeDiff } from "../diff/write-diff.ts";
import { CHECKOUT_LIMITS_DEFAULT, TRIAL_LIMITS_DEFAULT } from "../limits.ts";
import { temporaryFolder, writeProject } from "../testing/repair-in-memory.ts";
import { tryDiff } from "../trial/try-diff.ts";
import type { Trial, TrialResult } from "../trial/try-diff.ts";
import { detectRunner } from "./pick-runner.ts";
import { findProgram, findPytest } from "./tools.ts";

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
    checkoutLimits: CHECKOUT_LIMITS_DEFAULT,
    limits: TRIAL_LIMITS_DEFAULT,
    modules: MODULES,
    signal: new AbortController().signal,
    ...more,
  });
}

interface Project {
  readonly files: Files;
  readonly source: string;
  readonly wrong: string;
  readonly right: string;
  readonly test: string;
}

const PROJECTS: Readonly<Record<"vitest" | "pytest", Project>> = {
  vitest: {
    files: { "package.json": '{"type":"module","devDependencies":{"vitest":"*"}}' },
    source: "src/add.ts",
    wrong: "export const add = (a: number, b: number): number => a - b;\n",
    right: "export const add = (a: number, b: number): number => a + b;\n",
    test: 'src/add.test.ts:import { expect, test } from "vitest";\nimport { add } from "./add.ts";\ntest("adds", () => expect(add(1, 2)).toBe(3));\ntest("adds nothing", () => expect(add(1, 0)).toBe(1));\n',
  },
  pytest: {
    files: {},
    source: "add.py",
    wrong: "def add(a, b):\n    return a - b\n",
    right: "def add(a, b):\n    return a + b\n",
    test: "test_add.py:from add import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n\n\ndef test_adds_nothing():\n    assert add(1, 0) == 1\n",
  },
};

/** Why a tool cannot be tried here; null: it can. */
const missing = {
  vitest: existsSync(join(MODULES, "vitest")) ? null : "vitest is not installed",
  pytest: (await findPytest()) === null ? "no python3 on the PATH has pytest" : null,
};

describe.each(["vitest", "pytest"] as const)("%s, the real one", (name) => {
  const { files, source, wrong, right, test: given } = PROJECTS[name];
  const testPath = given.slice(0, given.indexOf(":"));
  const testText = given.slice(given.indexOf(":") + 1);
  const project = { ...files, [source]: wrong, [testPath]: testText };

  test("tells what fails with values and places, and is green with the right diff", async (context) => {
    context.skip(missing[name] !== null, missing[name] ?? "");
    const before = await run(project);
    expect(before).toMatchObject({
      verdict: "red",
      runner: name,
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
    context.skip(missing[name] !== null, missing[name] ?? "");
    const { verdict, report } = await run({ ...project, [source]: `${wrong}\n((((\n` });
    expect(verdict).toBe("red");
    expect(report).toMatchObject({ passed: 0, unloaded: 1, failing: [{ name: "" }] });
  }, 120_000);

  test("runs a written test besides", async (context) => {
    context.skip(missing[name] !== null, missing[name] ?? "");
    const second = testText.replaceAll("dds", "lso").replaceAll("a lso", "adds");
    const path = testPath.replace("add", "also");
    const written = [{ path: name === "pytest" ? "test_also.py" : path, text: second }];
    const { report } = await run({ ...project, [source]: right }, { written });
    expect(report).toMatchObject({ passed: 4, failed: 0 });
  }, 120_000);
});

describe("a command", () => {
  test.each([
    ["writes JUnit XML", '<testsuite><testcase name="a"/></testsuite>', 0, "green"],
    ["writes nothing", "", 0, "red"],
    ["fails although its tests passed", '<testsuite><testcase name="a"/></testsuite>', 3, "red"],
  ])(
    "that a task names and that %s",
    async (_, report, code, verdict) => {
      const files = { "run.sh": `printf '%s' '${report}' > report.xml; exit ${code}\n` };
      const command = { argv: ["sh", "run.sh"], report_file: "report.xml" } as const;
      expect(await run(files, { runner: "command", command })).toMatchObject({ verdict });
    },
    60_000,
  );

  test("reaches no file of this machine, no process, no server and no right to make walls of its own", async () => {
    const secret = join(temporaryFolder(), "secret");
    writeFileSync(secret, "the-secret");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const attacks = [
      `cat ${secret}`,
      "cat /etc/shadow",
      "ls /root",
      `kill -0 ${process.pid}`,
      `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}'`,
      "unshare --user true",
      "unshare --mount true",
      "mount -t tmpfs none /tmp",
      "touch /usr/bin/x",
    ];
    const lines = attacks.map(
      (attack, index) =>
        `if ${attack} >/dev/null 2>&1; then echo '<testcase name="${index}"><failure/></testcase>'; else echo '<testcase name="${index}"/>'; fi >> report.xml`,
    );
    const files = {
      "run.sh": `echo '<testsuite>' > report.xml\n${lines.join("\n")}\necho '</testsuite>' >> report.xml\n`,
    };
    const command = { argv: ["sh", "run.sh"], report_file: "report.xml" } as const;
    const { report } = await run(files, { runner: "command", command });
    expect(report).toMatchObject({ passed: attacks.length, failed: 0 });
  });

  test("gets no report read through a link that leads out", async () => {
    const secret = join(temporaryFolder(), "secret.xml");
    writeFileSync(secret, '<testsuite><testcase name="leaked"/></testsuite>');
    const command = {
      argv: ["ln", "-s", secret, "report.xml"],
      report_file: "report.xml",
    } as const;
    expect(await run({ "a.txt": "" }, { runner: "command", command })).toMatchObject({
      verdict: "red",
      report: { passed: 0, unloaded: 1 },
    });
  });

  test("that this machine does not have is told", async () => {
    const command = { argv: ["no-such-program"], report_file: "report.xml" } as const;
    expect(findProgram("../../bin/sh")).toBe(null);
    expect(await run({ "a.txt": "" }, { runner: "command", command })).toMatchObject({
      verdict: "no_runner",
      told: "command: there is no program no-such-program on this machine",
    });
    expect(
      await run({ "package.json": '{"scripts":{"test":"jest"}}', "a.test.js": "" }, { modules: null }),
    ).toMatchObject({
      verdict: "no_runner",
      told: "jest: jest is not among the checkout's dependencies",
    });
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
  ["files of pytest", { "tests/test_a.py": "" }, "pytest"],
  ["pytest's files in a dependency", { "vendor/test_a.py": "", "a.test.js": "" }, "node:test"],
  ["a package.json that cannot be read", { "package.json": "{", "a.test.js": "" }, "node:test"],
])("the runner is detected by %s", async (_, files, wanted) => {
  const read = async (path: string): Promise<string> => files[path] ?? "";
  expect(await detectRunner({ paths: Object.keys(files), read })).toBe(wanted);
});
