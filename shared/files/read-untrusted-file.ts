import { existsSync, readdirSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineError, PackageMissingError } from "#shared/errors";
import { readJson } from "#shared/json";
import { runSandboxed } from "#shared/sandbox";
import { FILE_LIMITS_DEFAULT, PACKAGES_MISSING, childAnswer } from "./reading.ts";
import type { ChildAnswer, ChildTask, FileLimits, ReadableType } from "./reading.ts";

/** The process that reads files ended for reasons of this machine and not of the file. */
export class ReaderFailedError extends defineError((cause: unknown) => ({
  code: "DOCUMENTS_READER_FAILED",
  failureClass: "transient",
  message: "The process that reads files could not be started, or was ended.",
  remedy: "Look at this machine's processes and memory; the message is tried again.",
  cause,
})) {}

export interface FileToRead {
  readonly bytes: Uint8Array;
  readonly type: ReadableType;
  readonly signal: AbortSignal;
  /** Default: `FILE_LIMITS_DEFAULT`. */
  readonly limits?: FileLimits;
  /** Files of letters by language; empty: no text is read off pictures. Default: those of the installed packages. */
  readonly letters?: Readonly<Record<string, string>>;
}

const CHILD = fileURLToPath(new URL(`child/main${extname(import.meta.filename)}`, import.meta.url));
const MEBIBYTE = 1024 * 1024;
/** As JSON a character of text is six at most. */
const ANSWER_BYTES_PER_CHARACTER = 6;
/** A reader writes no files and says nothing. Node itself takes about twelve threads. */
const BOUNDS = { outputBytesMax: MEBIBYTE, writtenBytesMax: MEBIBYTE, filesMax: 10, tasksMax: 64 };
const FAULTS_AT_BOUNDS = { time: "too_slow", memory: "too_much_memory", output: "too_much_text" } as const;

/**
 * Reads a stranger's file in a sandbox: bounded in time, memory and answer, with no environment, no network, no files
 * but its own code, and no children. Pictures of text are read in a second one. What it cannot read is a fault, never a
 * crash of ours.
 *
 * @throws {PackageMissingError} The packages that decode such files are not installed.
 * @throws {ReaderFailedError} The process ended for no fault of the file's.
 * @throws {SandboxUnavailableError | SandboxNotStartedError}
 * @throws the signal's reason when that is aborted.
 */
export async function readUntrustedFile(file: FileToRead): Promise<ChildAnswer> {
  const first = await readOnce(file, {});
  const { letters = findLetters() } = file;
  const languages = Object.keys(letters);
  const hasUnread =
    "fault" in first ? first.fault === "scan_unread" : (first.reading.ocr?.unread.length ?? 0) > 0;
  if (languages.length === 0 || !hasUnread) return first;
  // In a process of its own: a picture that takes too long to read is still the picture that it is.
  const second = await readOnce(file, letters);
  if ("reading" in second || "fault" in first) return second;
  const { ocr } = first.reading;
  // The languages by which its pictures were looked at in vain.
  return ocr === null ? first : { reading: { ...first.reading, ocr: { ...ocr, languages } } };
}

async function readOnce(file: FileToRead, letters: ChildTask["letters"]): Promise<ChildAnswer> {
  const { bytes, type, signal, limits = FILE_LIMITS_DEFAULT } = file;
  const { readMs, memoryBytesMax, ...bounds } = limits;
  const task: ChildTask = { type, ...bounds, letters };
  const code = codeOfReader();
  const end = await runSandboxed({
    // The permission model keeps the reader to its code a second time, should the sandbox be switched off.
    args: () => [
      "--permission",
      ...code.map((path) => `--allow-fs-read=${path}`),
      `--max-old-space-size=${Math.floor(memoryBytesMax / 2 / MEBIBYTE)}`,
      "--no-warnings",
      CHILD,
      JSON.stringify(task),
    ],
    env: () => ({}),
    visible: code,
    folders: null,
    input: bytes,
    bounds: {
      ...BOUNDS,
      timeMs: readMs,
      resultBytesMax: limits.charactersMax * ANSWER_BYTES_PER_CHARACTER + MEBIBYTE,
      memoryBytesMax,
    },
    signal,
  });
  if (end.stopped !== null) return { fault: FAULTS_AT_BOUNDS[end.stopped] };
  // An answer of another form comes from a decoder that its file has taken over.
  if (end.exitCode === 0) return childAnswer.safeParse(readJson(end.result)).data ?? { fault: "damaged" };
  // Full memory ends a process by Node's own abort, or by the kernel.
  if (end.signal === "SIGABRT") return { fault: "too_much_memory" };
  if (end.exitCode === PACKAGES_MISSING) throw new PackageMissingError(["unpdf", "fast-png", "jpeg-js"]);
  throw new ReaderFailedError(end.exitCode ?? end.signal);
}

let readable: readonly string[] | null = null;

/** The child's own code and the packages, wherever they were installed: nothing else on this machine. */
function codeOfReader(): readonly string[] {
  const packages = createRequire(import.meta.url).resolve.paths("unpdf") ?? [];
  readable ??= [
    ...new Set([
      fileURLToPath(new URL("./", import.meta.url)),
      fileURLToPath(new URL("../../package.json", import.meta.url)),
      ...packages.filter((path) => existsSync(path)).flatMap((path) => [path, realpathSync(path)]),
    ]),
  ];
  return readable;
}

/** Of each language the smaller, quicker files. */
const EDITION = "4.0.0_best_int";

let found: Readonly<Record<string, string>> | null = null;

/** Returns the installed `@tesseract.js-data/*` by language; empty without them or Tesseract: both are optional. */
export function findLetters(): Readonly<Record<string, string>> {
  found ??= searchLetters();
  return found;
}

function searchLetters(): Record<string, string> {
  const require = createRequire(import.meta.url);
  const letters: Record<string, string> = {};
  const folders = (require.resolve.paths("tesseract.js-core") ?? []).filter((path) => existsSync(path));
  if (!folders.some((folder) => existsSync(join(folder, "tesseract.js-core")))) return letters;
  for (const folder of folders
    .map((path) => join(path, "@tesseract.js-data"))
    .filter((path) => existsSync(path)))
    for (const language of readdirSync(folder))
      // Orientation and script are no language.
      if (/^[a-z_]{3,12}$/.test(language) && language !== "osd")
        letters[language] ??= join(folder, language, EDITION, `${language}.traineddata.gz`);
  return letters;
}
