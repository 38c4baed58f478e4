import { findLines } from "../source-file.ts";
import type { Finding, SourceFile } from "../source-file.ts";

const FILE_LINES_MAX = 300;
const LINE_LENGTH_MAX = 110;
/** The formatter does not wrap comments; a few words over are not worth a person's time. */
const COMMENT_LENGTH_MAX = 120;

/**
 * A file holds one idea. Longer ones give their reason in the first comment, after the word `Size:`. Functions over 70
 * lines are refused by oxlint.
 */
export function checkFileSizes(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const isLong = file.isCode && !file.isTest && file.lines.length - 1 > FILE_LINES_MAX;
    if (!isLong || /\bSize:\s+\S/.test(file.lines.slice(0, 12).join("\n"))) return [];
    const message =
      `${file.lines.length - 1} lines, more than ${FILE_LINES_MAX}: split it where a second idea begins, or give the reason ` +
      "in a comment at the top that has the word `Size:`";
    return [{ path: file.path, line: 0, message }];
  });
}

/** Two files fit side by side on a screen. Texts that cannot be broken, as addresses, are left alone. */
export function checkLineLengths(files: readonly SourceFile[]): Finding[] {
  return files.filter((file) => file.isCode).flatMap(findLongLines);
}

function findLongLines(file: SourceFile): Finding[] {
  return file.lines.flatMap((line, index) => {
    const isComment = file.commentLines.has(index + 1);
    const lengthMax = isComment ? COMMENT_LENGTH_MAX : LINE_LENGTH_MAX;
    if (line.length <= lengthMax || /\S{60,}/.test(line)) return [];
    // The formatter leaves a long text or pattern on one line; what counts is the code around it.
    const code = (file.masked[index] ?? "").replaceAll(/(["'`/}]) {4,}/g, "$1").trimEnd();
    if (!isComment && code.length <= lengthMax) return [];
    const message = `longer than ${lengthMax} columns: run \`npm run format\`, and break comments by hand`;
    return [{ path: file.path, line: index + 1, message }];
  });
}

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

// Written so that these patterns do not find themselves.
const NOTE = /\b(?:TO[D]O|FIX[M]E|X[X]X|HA[C]K)\b/;
const FOCUS = /\b(?:describe|it|test|suite)\.(?:only|skip|todo)\b/;
const SUPPRESSION = /(?:@ts-(?:ignore|expect-error|nocheck)|(?:eslint|oxlint)-disable|[v]itest-ignore)/;
const MACHINE_PATH =
  /(?:\/(?:home|Users)\/[a-z][\w-]*\/|\/root\/|\/work\/(?:main|shared)\b|[A-Z]:\\Users\\)/i;

/** A note to oneself is read by nobody; an issue or a decision record is. */
export function checkNotes(files: readonly SourceFile[]): Finding[] {
  const message = "do it, or write it down where it will be read (an issue, docs/decisions)";
  return ownCode(files).flatMap((file) => findLines(file, { in: "lines", pattern: NOTE, message }));
}

/** A skipped test looks like a passed one. */
export function checkFocusedTests(files: readonly SourceFile[]): Finding[] {
  const message =
    "run all tests: repair or delete a test that is skipped; for a condition use skipIf with its reason";
  return ownCode(files).flatMap((file) => findLines(file, { in: "masked", pattern: FOCUS, message }));
}

/** A finding that is silenced here is silenced for ever. */
export function checkSuppressions(files: readonly SourceFile[]): Finding[] {
  const message = "correct the code, or change the rule in .oxlintrc.json with its reason";
  return ownCode(files).flatMap((file) => findLines(file, { in: "lines", pattern: SUPPRESSION, message }));
}

/** A path of one machine works on that machine. */
export function checkMachinePaths(files: readonly SourceFile[]): Finding[] {
  const message = "use a path from the project's folder, the data folder or the system's temporary folder";
  return files.flatMap((file) => findLines(file, { in: "lines", pattern: MACHINE_PATH, message }));
}

function ownCode(files: readonly SourceFile[]): SourceFile[] {
  return files.filter((file) => file.isCode && !file.path.startsWith("infra/tidy/"));
}

/** Calls that are reserved for one room: their pattern, the paths where they are allowed, and what to call instead. */
const RESERVED: readonly { pattern: RegExp; allowed: readonly RegExp[]; message: string }[] = [
  {
    pattern: /\bDate\.now\s*\(|\bnew Date\(\s*\)|\bMath\.random\s*\(/,
    // infra/*.mjs runs before anything is installed, the browser has no rooms, and measurements are about real time.
    allowed: [/^shared\/clock\//, /^infra\/[\w-]+\.mjs$/, /^services\/console\/web\//, /^bench\//],
    message:
      "take time and randomness from #shared/clock (now, timestamp, random, uuidv7), so that tests can set them",
  },
  {
    pattern: /\bprocess\.env\b/,
    allowed: [
      /^shared\/config\/load-config\.ts$/,
      // OpenTelemetry can be told one thing by the environment alone; a served agent is given some of it.
      /^shared\/(?:telemetry\/tracing-sdk|a2a\/served\/serve-beside)\.ts$/,
      // Set-up looks for programs on the PATH and passes the environment on to the children that it starts.
      /^infra\//,
      // The launcher passes the environment on to the services that it starts.
      /^services\/cli\//,
      /^bench\//,
    ],
    message: "read settings with loadConfig of #shared/config, in main.ts, and pass values on",
  },
];

/** Finds calls that are reserved for one room, so that a test can replace the clock. Tests may call all. */
export function checkReservedCalls(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => file.isCode && !file.isTest)
    .flatMap((file) =>
      RESERVED.filter(({ allowed }) => !allowed.some((place) => place.test(file.path))).flatMap(
        ({ pattern, message }) => findLines(file, { in: "masked", pattern, message }),
      ),
    );
}

const CAST = /(?<![\w$])(?:[\w$)\]}>]|["'`])\s+as\s+(?!const\b)[A-Z{([a-z]/;
const NO_CAST = /^\s*(?:import|export)\b|^\s*(?:type\s+)?\w+ as \w+,?$|\}\s+from\s/;

/** A cast tells the compiler to believe us; a comment at most two lines above says why it may. */
export function checkCasts(files: readonly SourceFile[]): Finding[] {
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
