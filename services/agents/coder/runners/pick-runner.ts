import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isDependency, isRunAsTest } from "../checkout/project-path.ts";
import { parseJson } from "./results/read-jest.ts";
import { runNodeTests } from "./run-node-tests.ts";
import { runTool } from "./run-tool.ts";
import type { MissingRunner, Runner, RunnerName } from "./runner.ts";

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

const SCRIPT_TEST = /(?:[.\-_])(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)__tests__\/[^/]+\.[cm]?[jt]sx?$/;

/** Tools that run a whole suite and report in Jest's form: their scripts, and arguments before the test files. */
const TOOLS = {
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

/** Returns the runner of a project: the one that is named, or else the one that its files show. */
export async function openRunner(name: RunnerName | null, project: Project): Promise<Runner | MissingRunner> {
  const found = name ?? (await detectRunner(project));
  if (found === "node:test") return NODE_TEST;
  const { script, args } = TOOLS[found];
  if (!existsSync(join(project.work, script)))
    return { name: found, missing: `${found} is not among the checkout's dependencies` };
  return {
    name: found,
    isTest: (path) => !isDependency(path) && SCRIPT_TEST.test(path),
    run: (suite) => runTool({ script, args, modules: project.modules }, suite),
  };
}

const packageFile = z.object({
  scripts: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});

/** Detects the tool by what `package.json` says; `node:test` where it says nothing. */
export async function detectRunner({ paths, read }: Pick<Project, "paths" | "read">): Promise<RunnerName> {
  const parsed = packageFile.safeParse(
    paths.includes("package.json") ? parseJson(await read("package.json")) : {},
  );
  if (!parsed.success) return "node:test";
  const { scripts, dependencies, devDependencies } = parsed.data;
  const script = scripts["test"] ?? "";
  if (/\bnode\b[^&|;]*\s--test\b/.test(script)) return "node:test";
  const known = ["vitest", "jest"] as const;
  const inScript = known.find((name) => new RegExp(`\\b${name}\\b`).test(script));
  return inScript ?? known.find((name) => name in { ...dependencies, ...devDependencies }) ?? "node:test";
}
