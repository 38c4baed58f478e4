import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isDependency, isRunAsTest } from "../checkout/project-path.ts";
import type { RawTest } from "./results/raw-test.ts";
import { readJest } from "./results/read-jest.ts";
import { readJunit } from "./results/read-junit.ts";
import { parseJson } from "./parse-json.ts";
import { runNodeTests } from "./run-node-tests.ts";
import { runTool } from "./run-tool.ts";
import type { MissingRunner, Runner, RunnerName, SuiteRun, TestCommand } from "./runner.ts";
import { findProgram, findPytest, nodeTool } from "./tools.ts";
import type { Tool } from "./tools.ts";

/** A copy of a checkout, for which a runner is wanted. */
export interface Project {
  /** Folder of the copy. */
  readonly work: string;
  readonly paths: readonly string[];
  /** The folder whose dependencies the copy uses, where those are not in it. Null: it has its own or none. */
  readonly modules: string | null;
  readonly read: (path: string) => Promise<string>;
}

/** Runs each test file in a process of its own; the permission model keeps it to the copy a second time. */
const NODE_TEST: Runner = { name: "node:test", isTest: isRunAsTest, run: runNodeTests };

const REPORT = "report";
const SCRIPT_TEST = /(?:[.\-_])(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)__tests__\/[^/]+\.[cm]?[jt]sx?$/;
const PYTHON_TEST = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;

/** A tool that runs a whole suite: its start, and the reader of its report. */
interface ToolRunner {
  readonly tests: RegExp;
  /** Finds the tool, with the arguments that come first. A text says why it is missing. */
  readonly find: (project: Project) => Promise<{ readonly tool: Tool; readonly script: string[] } | string>;
  /** Arguments before the test files. */
  readonly args: (report: string) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly read: (report: string) => RawTest[];
}

const TOOLS: Readonly<Record<"vitest" | "jest" | "pytest", ToolRunner>> = {
  vitest: {
    tests: SCRIPT_TEST,
    find: (project) => findNodeTool("vitest", "node_modules/vitest/vitest.mjs", project),
    args: (report) => ["run", "--reporter=json", `--outputFile=${report}`, "--maxWorkers=1", "--no-cache"],
    read: readJest,
  },
  jest: {
    tests: SCRIPT_TEST,
    find: (project) => findNodeTool("jest", "node_modules/jest/bin/jest.js", project),
    args: (report) => ["--ci", "--json", `--outputFile=${report}`, "--runInBand", "--testLocationInResults"],
    read: readJest,
  },
  pytest: {
    tests: PYTHON_TEST,
    find: async () => {
      const tool = await findPytest();
      return tool === null ? "no python3 on the PATH of this machine has pytest" : { tool, script: [] };
    },
    args: (report) => [
      "-m",
      "pytest",
      "-q",
      "-p",
      "no:cacheprovider",
      "-o",
      "junit_family=xunit1",
      `--junitxml=${report}`,
    ],
    env: { PYTHONDONTWRITEBYTECODE: "1" },
    // A file that could not be imported has one "test", which says so.
    read: (report) => readJunit(report).filter(({ text }) => !text.startsWith("collection failure")),
  },
};

async function findNodeTool(name: string, script: string, { work, modules }: Project) {
  const place = join(work, script);
  if (!existsSync(place)) return `${name} is not among the checkout's dependencies`;
  return { tool: nodeTool(modules), script: [script] };
}

/** Returns the runner of a project: the one that is named, or else the one that its files show. */
export async function openRunner(
  name: RunnerName | null,
  project: Project,
  command: TestCommand | null,
): Promise<Runner | MissingRunner> {
  const found = name ?? (await detectRunner(project));
  if (found === "node:test") return NODE_TEST;
  if (found === "command") return openCommand(command);
  const { tests, args, env = {}, read } = TOOLS[found];
  const asked = await TOOLS[found].find(project);
  if (typeof asked === "string") return { name: found, missing: asked };
  const { tool, script } = asked;
  return {
    name: found,
    isTest: (path) => !isDependency(path) && tests.test(path),
    run: (suite: SuiteRun) =>
      runTool(
        {
          tool,
          args: ({ work, temporary }) => [
            ...script.map((path) => join(work, path)),
            ...args(join(temporary, REPORT)),
            ...suite.files,
          ],
          reportFile: ({ temporary }) => join(temporary, REPORT),
          env,
          files: suite.files,
          read,
        },
        suite,
      ),
  };
}

function openCommand(command: TestCommand | null): Runner | MissingRunner {
  const name = "command";
  const [program = "", ...args] = command?.argv ?? [];
  if (command === null) return { name, missing: "the task names no command" };
  const tool = findProgram(program);
  if (tool === null) return { name, missing: `there is no program ${program} on this machine` };
  return {
    name,
    // The command decides which files it takes for tests.
    isTest: () => true,
    run: (suite) =>
      runTool(
        {
          tool,
          args: () => args,
          reportFile: ({ work }) => join(work, command.report_file),
          // A command names no files.
          files: ["tests"],
          read: readJunit,
        },
        suite,
      ),
  };
}

const packageFile = z.object({
  scripts: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});

/** Detects the tool by what `package.json` says and by the files; `node:test` where both say nothing. */
export async function detectRunner({
  paths,
  read,
}: Pick<Project, "paths" | "read">): Promise<Exclude<RunnerName, "command">> {
  const own = paths.filter((path) => !isDependency(path));
  const named = own.includes("package.json") ? nameInPackage(await read("package.json")) : null;
  if (named !== null) return named;
  const isPython = own.some((path) => PYTHON_TEST.test(path)) && !own.some((path) => isRunAsTest(path));
  return isPython ? "pytest" : "node:test";
}

function nameInPackage(text: string): "node:test" | "vitest" | "jest" | null {
  const parsed = packageFile.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { scripts, dependencies, devDependencies } = parsed.data;
  const script = scripts["test"] ?? "";
  if (/\bnode\b[^&|;]*\s--test\b/.test(script)) return "node:test";
  const known = ["vitest", "jest"] as const;
  const inScript = known.find((name) => new RegExp(`\\b${name}\\b`).test(script));
  return inScript ?? known.find((name) => name in { ...dependencies, ...devDependencies }) ?? null;
}
