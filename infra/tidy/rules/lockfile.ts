import { completeLockfile } from "../../complete-lockfile.mjs";
import type { Finding, SourceFile } from "../source-file.ts";

/** `npm ci` must take the lockfile on every platform and from every registry. */
export function checkLockfile(files: readonly SourceFile[]): Finding[] {
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
