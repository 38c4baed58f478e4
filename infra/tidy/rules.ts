import { completeLockfile } from "../complete-lockfile.mjs";
import { checkImports, checkRooms } from "./rules/imports.ts";
import type { Finding, Rule, SourceFile } from "./source-file.ts";
import { findLines } from "./source-file.ts";

/** Every rule. One that nobody can justify is deleted. */
export const RULES: readonly Rule[] = [
  checkCommentLengths,
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

/** The formatter keeps code within its columns and does not wrap comments; a few words over do no harm. */
const COMMENT_LENGTH_MAX = 120;

/** Two files fit side by side on a screen. Texts that cannot be broken, as addresses, are left alone. */
function checkCommentLengths(files: readonly SourceFile[]): Finding[] {
  const message = `longer than ${COMMENT_LENGTH_MAX} columns: break the comment by hand`;
  return files.flatMap(({ path, lines, commentLines }) =>
    [...commentLines].flatMap((line) => {
      const text = lines[line - 1] ?? "";
      const isFine = text.length <= COMMENT_LENGTH_MAX || /\S{60,}/.test(text);
      return isFine ? [] : [{ path, line, message }];
    }),
  );
}

const EMPTY_WORD = /^(?:utils?|helpers?|common|managers?|misc)$/;
const DECLARED =
  /\b(?:class|function|interface|type|const|let)\s+(?:\w*(?:Utils?|Helpers?|Common|Manager|Misc)|(?:utils?|helpers?|common|manager|misc)[A-Z]?\w*)\b/;

/** Words that say nothing of what a thing is for attract everything. */
function checkEmptyWords(files: readonly SourceFile[]): Finding[] {
  const message =
    "name it by its role: utils, helpers, common, manager and misc say nothing of what it is for";
  return files.flatMap((file) => {
    if (!file.isCode) return [];
    const words = file.path.split("/").flatMap((part) => part.replace(/\.[a-z.]+$/, "").split("-"));
    const inPath = words.some((word) => EMPTY_WORD.test(word)) ? [{ path: file.path, line: 0, message }] : [];
    return [...inPath, ...findLines(file, { in: "masked", pattern: DECLARED, message })];
  });
}

// Written so that these patterns do not find themselves.
const FOCUS = /\b(?:describe|it|test|suite)\.(?:only|skip|todo)\b/;
const SUPPRESSION = /(?:@ts-(?:ignore|expect-error|nocheck)|(?:eslint|oxlint)-disable|[v]itest-ignore)/;
const MACHINE_PATH =
  /(?:\/(?:home|Users)\/[a-z][\w-]*\/|\/root\/|\/work\/(?:main|shared)\b|[A-Z]:\\Users\\)/i;

/** A skipped test looks like a passed one. */
function checkFocusedTests(files: readonly SourceFile[]): Finding[] {
  const message =
    "run all tests: repair or delete a test that is skipped; for a condition use skipIf with its reason";
  return ownCode(files).flatMap((file) => findLines(file, { in: "masked", pattern: FOCUS, message }));
}

/** A finding that is silenced here is silenced for ever. */
function checkSuppressions(files: readonly SourceFile[]): Finding[] {
  const message = "correct the code, or change the rule in .oxlintrc.json with its reason";
  return ownCode(files).flatMap((file) => findLines(file, { in: "lines", pattern: SUPPRESSION, message }));
}

/** A path of one machine works on that machine. */
function checkMachinePaths(files: readonly SourceFile[]): Finding[] {
  const message = "use a path from the project's folder, the data folder or the system's temporary folder";
  return files.flatMap((file) => findLines(file, { in: "lines", pattern: MACHINE_PATH, message }));
}

function ownCode(files: readonly SourceFile[]): SourceFile[] {
  return files.filter((file) => file.isCode && !file.path.startsWith("infra/tidy/"));
}

const TIME_OR_CHANCE = /\bDate\.now\s*\(|\bnew Date\(\s*\)|\bMath\.random\s*\(/;
// infra/*.mjs runs before anything is installed, the browser has no rooms, and measurements are about real time.
const MAY_READ_BOTH = /^(?:shared\/clock|services\/console\/(?:web|app)|bench)\/|^infra\/[\w-]+\.mjs$/;

/** Finds time and randomness that no test can set. Tests may read both. */
function checkReservedCalls(files: readonly SourceFile[]): Finding[] {
  const message =
    "take time and randomness from #shared/clock (now, timestamp, random, uuidv7), so that tests can set them";
  return files
    .filter((file) => file.isCode && !file.isTest && !MAY_READ_BOTH.test(file.path))
    .flatMap((file) => findLines(file, { in: "masked", pattern: TIME_OR_CHANCE, message }));
}

const CAST = /(?<![\w$])(?:[\w$)\]}>]|["'`])\s+as\s+(?!const\b)[A-Z{([a-z]/;
const NO_CAST = /^\s*(?:import|export)\b|^\s*(?:type\s+)?\w+ as \w+,?$|\}\s+from\s/;

/** A cast tells the compiler to believe us; a comment at most two lines above says why it may. */
function checkCasts(files: readonly SourceFile[]): Finding[] {
  const message = "say in a comment why this cast is safe, or let the compiler see it (a type guard, zod)";
  return files
    .filter((file) => file.isCode && !file.isTest)
    .flatMap((file) =>
      file.masked.flatMap((line, index) => {
        const isExplained = [1, 0, -1].some((offset) => file.commentLines.has(index + offset));
        return CAST.test(line) && !NO_CAST.test(line) && !isExplained
          ? [{ path: file.path, line: index + 1, message }]
          : [];
      }),
    );
}
