import { findLines } from "../source-file.ts";
import type { Finding, SourceFile } from "../source-file.ts";

const KEBAB_CASE = /^\.?[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+)*$/;
const EMPTY_WORD = /^(?:utils?|helpers?|common|managers?|misc)$/;
const DECLARED =
  /\b(?:class|function|interface|type|const|let)\s+(?:\w*(?:Utils?|Helpers?|Common|Manager|Misc)|(?:utils?|helpers?|common|manager|misc)[A-Z]?\w*)\b/;

/** One way to write a file's name, so that nobody has to guess. */
export function checkFileNames(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => file.isCode && !KEBAB_CASE.test(file.path.split("/").at(-1) ?? ""))
    .map(({ path }) => ({
      path,
      line: 0,
      message: "write the file's name in kebab-case: a noun for a type, a verb phrase for a function",
    }));
}

/** Words that say nothing of what a thing is for attract everything. */
export function checkEmptyWords(files: readonly SourceFile[]): Finding[] {
  const message =
    "name it by its role: utils, helpers, common, manager and misc say nothing of what it is for";
  return files.flatMap((file) => {
    if (!file.isCode) return [];
    const words = file.path.split("/").flatMap((part) => part.replace(/\.[a-z.]+$/, "").split("-"));
    const inPath = words.some((word) => EMPTY_WORD.test(word)) ? [{ path: file.path, line: 0, message }] : [];
    return [...inPath, ...findLines(file, { in: "masked", pattern: DECLARED, message })];
  });
}
