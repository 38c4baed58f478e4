import { findLines } from "../source-file.ts";
import type { Finding, SourceFile } from "../source-file.ts";

// Written so that these patterns do not find themselves.
const NOTE = /\b(?:TO[D]O|FIX[M]E|X[X]X|HA[C]K)\b/;
const FOCUS = /\b(?:describe|it|test|suite)\.(?:only|skip|todo)\b/;
const SUPPRESSION = /(?:@ts-(?:ignore|expect-error|nocheck)|(?:eslint|oxlint)-disable|[v]itest-ignore)/;
const MACHINE_PATH =
  /(?:\/(?:home|Users)\/[a-z][\w-]*\/|\/root\/|\/work\/(?:main|shared)\b|[A-Z]:\\Users\\)/i;

/** A note to oneself is read by nobody; an issue or a decision record is. */
export function checkNotes(files: readonly SourceFile[]): Finding[] {
  const message = "do it, or write it down where it will be read (an issue, docs/decisions)";
  return code(files).flatMap((file) => findLines(file, { in: "lines", pattern: NOTE, message }));
}

/** A skipped test looks like a passed one. */
export function checkFocusedTests(files: readonly SourceFile[]): Finding[] {
  const message =
    "run all tests: repair or delete a test that is skipped; for a condition use skipIf with its reason";
  return code(files).flatMap((file) => findLines(file, { in: "masked", pattern: FOCUS, message }));
}

/** A finding that is silenced here is silenced for ever. */
export function checkSuppressions(files: readonly SourceFile[]): Finding[] {
  const message = "correct the code, or change the rule in .oxlintrc.json with its reason";
  return code(files).flatMap((file) => findLines(file, { in: "lines", pattern: SUPPRESSION, message }));
}

/** A path of one machine works on that machine. */
export function checkMachinePaths(files: readonly SourceFile[]): Finding[] {
  const message = "use a path from the project's folder, the data folder or the system's temporary folder";
  return files.flatMap((file) => findLines(file, { in: "lines", pattern: MACHINE_PATH, message }));
}

function code(files: readonly SourceFile[]): SourceFile[] {
  return files.filter((file) => file.isCode && !file.path.startsWith("infra/tidy/"));
}
