import { z } from "zod";
import { isDependency, isRunAsTest } from "../checkout/project-path.ts";
import type { RunnerName, TestCommand } from "./runner.ts";

/** What a checkout shows of its tests. */
export interface Shown {
  readonly paths: readonly string[];
  /** Returns a file's text; "" where there is none. */
  readonly read: (path: string) => Promise<string>;
}

export interface Detected {
  readonly name: RunnerName;
  readonly command: TestCommand | null;
}

const packageFile = z.object({
  scripts: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});

/** Tests by `make test`, read as TAP. */
const MAKE: Detected = {
  name: "command",
  command: { argv: ["make", "--no-print-directory", "-s", "test"], report: "tap", report_file: "" },
};

/**
 * Detects by which tool a checkout's tests are run: Go and Python by their files, scripts by what `package.json` says,
 * `node:test` where it says nothing, and at last a makefile's target `test`.
 */
export async function detectRunner({ paths, read }: Shown): Promise<Detected> {
  const own = paths.filter((path) => !isDependency(path));
  const found = (name: RunnerName): Detected => ({ name, command: null });
  if (own.includes("go.mod") && own.some((path) => path.endsWith("_test.go"))) return found("go test");
  if (own.includes("package.json")) {
    const named = nameInPackage(await read("package.json"));
    if (named !== null) return found(named);
  }
  const hasPython = own.some((path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path));
  if (hasPython && !own.some((path) => isRunAsTest(path))) return found("pytest");
  if (own.some((path) => isRunAsTest(path))) return found("node:test");
  const makefile = own.find((path) => /^(?:GNU)?[Mm]akefile$/.test(path));
  if (makefile !== undefined && /^test\s*:/m.test(await read(makefile))) return MAKE;
  return found(own.includes("go.mod") ? "go test" : "node:test");
}

function nameInPackage(text: string): RunnerName | null {
  const parsed = packageFile.safeParse(parse(text));
  if (!parsed.success) return null;
  const { scripts, dependencies, devDependencies } = parsed.data;
  const script = scripts["test"] ?? "";
  const isNode = /\bnode\b[^&|;]*\s--test\b/.test(script);
  const known = ["vitest", "jest"] as const;
  if (isNode) return "node:test";
  const inScript = known.find((name) => new RegExp(`\\b${name}\\b`).test(script));
  return inScript ?? known.find((name) => name in { ...dependencies, ...devDependencies }) ?? null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
