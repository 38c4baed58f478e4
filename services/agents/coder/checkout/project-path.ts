/** A path inside a project: relative, with slashes, no empty, `.` or `..` step, at most 400 characters. */
export const PROJECT_PATH =
  /^(?![A-Za-z]:)(?!\/)(?!(?:[^]*\/)?\.{1,2}(?:\/|$))(?![^]*\/\/)(?![^]*\/$)[^\\\p{Cc}]{1,400}$/u;

export function isProjectPath(path: string): boolean {
  return PROJECT_PATH.test(path);
}

/** Folders that hold a project's history or what tools keep there. */
const HISTORY = new Set([".git", ".hg", ".svn", ".jj", ".suture"]);

/** Returns true for the project's history, which is never read, copied or changed. */
export function isHistory(path: string): boolean {
  return path.split("/").some((step) => HISTORY.has(step.toLowerCase()));
}

const DEPENDENCIES = new Set(["node_modules", "vendor"]);

/** Returns true for code of others. */
export function isDependency(path: string): boolean {
  return path
    .toLowerCase()
    .split("/")
    .some((step) => DEPENDENCIES.has(step));
}

/** Files that decide how tests run and which code is installed. */
const SETTINGS = /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|\.npmrc|\.env(?:\..*)?|tsconfig.*\.json)$/;

export function isSetting(path: string): boolean {
  return SETTINGS.test(path.toLowerCase().split("/").at(-1) ?? "");
}

const SCRIPT = /\.[cm]?[jt]s$/;
const SOURCE = /\.[cm]?[jt]sx?$/;
const TEST_NAME = /(?:^|[.\-_])(?:test|spec)\.[cm]?[jt]sx?$|^test-.*\.[cm]?[jt]s$/;
const TEST_FOLDERS = new Set(["test", "tests", "__tests__", "spec", "__snapshots__"]);

/** Returns true for a test, and for data in a folder of tests. Ignores case, as some file systems do. */
export function belongsToTests(path: string): boolean {
  const steps = path.toLowerCase().split("/");
  const name = steps.at(-1) ?? "";
  const isInFolder = steps.slice(0, -1).some((step) => TEST_FOLDERS.has(step));
  return isInFolder || TEST_NAME.test(name);
}

/** Returns true for source text of a language that the team knows. */
export function isSource(path: string): boolean {
  return SOURCE.test(path);
}

export function isScript(path: string): boolean {
  return SCRIPT.test(path);
}

/** Returns true for a file that Node's test runner finds: one named like a test, or any script in a folder `test`. */
export function isRunAsTest(path: string): boolean {
  if (!isScript(path) || isDependency(path)) return false;
  return TEST_NAME.test(path.split("/").at(-1) ?? "") || path.split("/").slice(0, -1).includes("test");
}

/** Returns true for a path that is one of the given paths or lies below one of them. */
export function isUnder(path: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}
