import {
  isDependency,
  isHistory,
  isProjectPath,
  isSetting,
  belongsToTests,
  isUnder,
} from "../checkout/project-path.ts";
import { parseDiff } from "./parse-diff.ts";

/** What a task allows to be changed. */
export interface Allowed {
  /** Files and folders that may be changed; empty means all but tests, settings and dependencies. */
  readonly editable: readonly string[];
  /** The tests that judge, besides what is named like one. */
  readonly tests: readonly string[];
}

interface RefusedPath {
  readonly path: string;
  readonly reason: "changes_tests" | "not_editable" | "settings" | "dependency" | "outside";
}

/** The paths of a diff that its task does not allow to be changed. A diff that cannot be read has none. */
export function refusePaths(diff: string, allowed: Allowed): RefusedPath[] {
  const parsed = parseDiff(diff);
  if (!parsed.ok) return [];
  return parsed.files.flatMap(({ path }) => {
    const reason = refusalOf(path, allowed);
    return reason === null ? [] : [{ path, reason }];
  });
}

function refusalOf(path: string, { editable, tests }: Allowed): RefusedPath["reason"] | null {
  if (!isProjectPath(path) || isHistory(path)) return "outside";
  if (isDependency(path)) return "dependency";
  if (belongsToTests(path) || isUnder(path, tests)) return "changes_tests";
  // How tests are run is decided by them: only a task that names them allows it.
  if (isSetting(path) && !editable.includes(path)) return "settings";
  return editable.length > 0 && !isUnder(path, editable) ? "not_editable" : null;
}
