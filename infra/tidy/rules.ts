import { completeLockfile } from "../complete-lockfile.mjs";
import {
  checkCasts,
  checkEmptyWords,
  checkFocusedTests,
  checkLineLengths,
  checkMachinePaths,
  checkReservedCalls,
  checkSuppressions,
} from "./rules/code.ts";
import { checkImports, checkRooms } from "./rules/imports.ts";
import type { Finding, Rule, SourceFile } from "./source-file.ts";

/** Every rule. One that nobody can justify is deleted. */
export const RULES: readonly Rule[] = [
  checkLineLengths,
  checkEmptyWords,
  checkFocusedTests,
  checkSuppressions,
  checkMachinePaths,
  checkReservedCalls,
  checkCasts,
  checkRooms,
  checkImports,
  checkLockfile,
];

/** `npm ci` must take the lockfile on every platform and from every registry. */
function checkLockfile(files: readonly SourceFile[]): Finding[] {
  const file = files.find(({ path }) => path === "package-lock.json");
  if (file === undefined) return [];
  const findings: Finding[] = [];
  const refuse = (message: string): void => void findings.push({ path: file.path, line: 0, message });
  const text = file.lines.join("\n");
  if (text.includes('"resolved": "http'))
    refuse("names hosts: keep .npmrc as it is and run `npm install` again");
  if (completeLockfile(JSON.parse(text)).added.length > 0) {
    refuse("lacks optional packages of other platforms, so that `npm ci` refuses it: run `npm run lock`");
  }
  return findings;
}
