import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDependency, isRunAsTest } from "../checkout/project-path.ts";
import { runSuite } from "../trial/run-suite.ts";
import { firstTestIn, readGo } from "./results/read-go.ts";
import { readJest } from "./results/read-jest.ts";
import { readJunit } from "./results/read-junit.ts";
import { readTap } from "./results/read-tap.ts";
import { runTool } from "./run-tool.ts";
import type { MissingRunner, Runner, RunnerName, TestCommand } from "./runner.ts";
import { findGo, findProgram, findPytest, systemLibraries } from "./tools.ts";
import type { Tool } from "./tools.ts";

/** A copy of a checkout, for which a runner is wanted. */
export interface Project {
  /** Folder of the copy. */
  readonly work: string;
  /** The folder whose dependencies the copy uses, where those are not in it. Null: it has its own or none. */
  readonly modules: string | null;
  readonly read: (path: string) => Promise<string>;
}

/** Runs each test file in a process of its own; the permission model keeps it to the copy a second time. */
const NODE_TEST: Runner = { name: "node:test", isOneStart: false, isTest: isRunAsTest, run: runSuite };

const SCRIPT_TEST = /(?:[.\-_])(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)__tests__\/[^/]+\.[cm]?[jt]sx?$/;
const isScriptTest = (path: string): boolean => !isDependency(path) && SCRIPT_TEST.test(path);
const isPythonTest = (path: string): boolean =>
  !isDependency(path) && /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path);
const isGoTest = (path: string): boolean => !isDependency(path) && path.endsWith("_test.go");

/** Returns the runner of that name for a project. */
export async function openRunner(
  name: RunnerName,
  project: Project,
  command: TestCommand | null,
): Promise<Runner | MissingRunner> {
  if (name === "node:test") return NODE_TEST;
  if (name === "pytest") return openPytest();
  if (name === "go test") return openGo(await project.read("go.mod"));
  if (name === "command") return openCommand(command);
  return openNodeTool(name, project);
}

const NODE_TOOLS = {
  vitest: {
    script: "node_modules/vitest/vitest.mjs",
    args: (report: string) => [
      "run",
      "--reporter=json",
      `--outputFile=${report}`,
      "--maxWorkers=1",
      "--no-cache",
    ],
  },
  jest: {
    script: "node_modules/jest/bin/jest.js",
    args: (report: string) => [
      "--ci",
      "--json",
      `--outputFile=${report}`,
      "--runInBand",
      "--testLocationInResults",
    ],
  },
} as const;

function openNodeTool(name: "vitest" | "jest", { work, modules }: Project): Runner | MissingRunner {
  const { script, args } = NODE_TOOLS[name];
  if (!existsSync(join(work, script)))
    return { name, missing: `${name} is not among the checkout's dependencies` };
  // Native modules of a tool load the system's libraries.
  const visible = modules === null ? systemLibraries() : [modules, ...systemLibraries()];
  const tool: Tool = { program: process.execPath, visible, env: {} };
  return {
    name,
    isOneStart: true,
    isTest: isScriptTest,
    run: (suite) =>
      runTool(
        {
          tool,
          args: ({ work: folder, temporary }) => [
            join(folder, script),
            ...args(join(temporary, "report.json")),
            ...suite.files,
          ],
          reportFile: ({ temporary }) => join(temporary, "report.json"),
          files: suite.files,
          read: readJest,
        },
        suite,
      ),
  };
}

async function openPytest(): Promise<Runner | MissingRunner> {
  const tool = await findPytest();
  if (tool === null) return { name: "pytest", missing: "no python3 on the PATH of this machine has pytest" };
  const options = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "junit_family=xunit1"];
  return {
    name: "pytest",
    isOneStart: true,
    isTest: isPythonTest,
    run: (suite) =>
      runTool(
        {
          tool,
          args: ({ temporary }) => [
            ...options,
            `--junitxml=${join(temporary, "report.xml")}`,
            ...suite.files,
          ],
          reportFile: ({ temporary }) => join(temporary, "report.xml"),
          env: () => ({ PYTHONDONTWRITEBYTECODE: "1" }),
          files: suite.files,
          // A file that could not be imported has one "test", which says so.
          read: (report) => readJunit(report).filter(({ text }) => !text.startsWith("collection failure")),
        },
        suite,
      ),
  };
}

async function openGo(goMod: string): Promise<Runner | MissingRunner> {
  const tool = await findGo();
  if (tool === null) return { name: "go test", missing: "there is no go on the PATH of this machine" };
  const moduleName = /^module\s+"?([^\s"]+)/m.exec(goMod)?.[1] ?? "";
  return {
    name: "go test",
    isOneStart: true,
    isTest: isGoTest,
    run: (suite) => {
      const folders = [...new Set(suite.files.map((file) => file.slice(0, file.lastIndexOf("/") + 1)))];
      const first = folders.map((folder) => firstTestIn(folder, suite.files) ?? "");
      return runTool(
        {
          tool,
          args: () => ["test", "-json", "-count=1", "-vet=off", ...folders.map((folder) => `./${folder}`)],
          reportFile: () => "",
          env: ({ temporary }) => ({ GOCACHE: join(temporary, "go-build"), GOPATH: join(temporary, "go") }),
          files: first,
          read: (report) => readGo(report, { moduleName, files: suite.files }),
        },
        suite,
      );
    },
  };
}

/** Name of the tests of a command that names no files. */
const COMMAND_TESTS = "tests";

function openCommand(command: TestCommand | null): Runner | MissingRunner {
  const name = "command";
  const [program = "", ...args] = command?.argv ?? [];
  if (command === null) return { name, missing: "the task names no command" };
  const tool = findProgram(program);
  if (tool === null) return { name, missing: `there is no program ${program} on this machine` };
  const read = command.report === "junit" ? readJunit : readTap;
  return {
    name,
    isOneStart: true,
    // The command decides which files it takes for tests.
    isTest: () => true,
    run: (suite) =>
      runTool(
        {
          tool,
          args: () => args,
          reportFile: ({ work }) => (command.report_file === "" ? "" : join(work, command.report_file)),
          files: [COMMAND_TESTS],
          read,
        },
        suite,
      ),
  };
}
