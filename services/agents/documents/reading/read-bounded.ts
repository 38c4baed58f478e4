import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { runSandboxed } from "#shared/sandbox";
import type { SandboxedEnd } from "#shared/sandbox";
import { ReaderFailedError } from "../errors.ts";
import { findLetters } from "./find-letters.ts";
import type { DocumentLimits } from "../limits.ts";
import { childAnswer } from "./reading.ts";
import type { ChildTask, Fault, ReadableType, Reading } from "./reading.ts";

export interface FileToRead {
  readonly bytes: Uint8Array;
  readonly type: ReadableType;
  readonly limits: DocumentLimits;
  readonly signal: AbortSignal;
  /** Files of letters by language. Default: those of the installed packages. */
  readonly letters?: Readonly<Record<string, string>>;
}

export type ReadFile = { readonly reading: Reading } | { readonly fault: Fault };

const CHILD = fileURLToPath(new URL("child/main.ts", import.meta.url));
const MEBIBYTE = 1024 * 1024;
/** As JSON a character of text is six at most. */
const ANSWER_BYTES_PER_CHARACTER = 6;
/** A reader writes no files and says nothing. */
const SILENT = { outputBytesMax: MEBIBYTE, writtenBytesMax: MEBIBYTE, filesMax: 10 };

const FAULTS_AT_BOUNDS = { time: "too_slow", memory: "too_much_memory", output: "too_much_text" } as const;

/**
 * Reads a stranger's file in a sandbox: bounded in time, memory and answer, with no environment, no network, no files
 * but its own code, and no children. Pictures of text are read in a second one. What it cannot read is a fault, never a
 * crash of ours.
 *
 * @throws {ReaderFailedError} The process ended for no fault of the file's.
 * @throws {SandboxUnavailableError | SandboxNotStartedError}
 * @throws the signal's reason when that is aborted.
 */
export async function readBounded(file: FileToRead): Promise<ReadFile> {
  const first = await readOnce(file, {});
  const { letters = findLetters() } = file;
  if (Object.keys(letters).length === 0 || !hasUnread(first)) return first;
  // In a process of its own: a picture that takes too long to read is still the picture that it is.
  const second = await readOnce(file, letters);
  if ("reading" in second || "fault" in first) return second;
  return named(first, Object.keys(letters));
}

/** Returns true where there are pictures that a reader of letters has not looked at. */
function hasUnread(read: ReadFile): boolean {
  if ("fault" in read) return read.fault === "scan_unread";
  return (read.reading.ocr?.unread.length ?? 0) > 0;
}

/** The reading, with the languages by which its pictures were looked at in vain. */
function named({ reading }: { readonly reading: Reading }, languages: string[]): ReadFile {
  const { ocr } = reading;
  return ocr === null ? { reading } : { reading: { ...reading, ocr: { ...ocr, languages } } };
}

async function readOnce(file: FileToRead, letters: Readonly<Record<string, string>>): Promise<ReadFile> {
  const { bytes, type, limits, signal } = file;
  const { pixelsMax, pagesMax, charactersMax, readMs, ocrMs, ocrPixelsMax, memoryBytesMax, tasksMax } =
    limits;
  const task: ChildTask = { type, pixelsMax, pagesMax, charactersMax, ocrMs, ocrPixelsMax, letters };
  const code = codeOfReader();
  const end = await runSandboxed({
    args: () => [...permissions(limits, code), CHILD, JSON.stringify(task)],
    env: () => ({}),
    visible: code,
    folders: null,
    input: bytes,
    bounds: {
      ...SILENT,
      timeMs: readMs,
      resultBytesMax: charactersMax * ANSWER_BYTES_PER_CHARACTER + MEBIBYTE,
      memoryBytesMax,
      tasksMax,
    },
    signal,
  });
  return readEnd(end);
}

function readEnd({ exitCode, signal, stopped, result }: SandboxedEnd): ReadFile {
  if (stopped !== null) return { fault: FAULTS_AT_BOUNDS[stopped] };
  if (exitCode === 0) return readAnswer(result);
  // Full memory ends a process by Node's own abort, or by the kernel.
  if (signal === "SIGABRT") return { fault: "too_much_memory" };
  throw new ReaderFailedError(exitCode ?? signal);
}

/** Reads the child's answer. One of another form comes from a decoder that its file has taken over. */
function readAnswer(text: string): ReadFile {
  try {
    return childAnswer.parse(JSON.parse(text));
  } catch {
    return { fault: "damaged" };
  }
}

let readable: readonly string[] | null = null;

/** The child's own code and the packages, wherever they were installed: nothing else on this machine. */
function codeOfReader(): readonly string[] {
  readable ??= [
    ...new Set([
      fileURLToPath(new URL("./", import.meta.url)),
      fileURLToPath(new URL("../../../../package.json", import.meta.url)),
      ...packageFolders(),
    ]),
  ];
  return readable;
}

/** The permission model keeps the reader to its code a second time, should the sandbox be switched off. */
function permissions({ memoryBytesMax }: DocumentLimits, code: readonly string[]): string[] {
  return [
    "--permission",
    ...code.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${Math.floor(memoryBytesMax / 2 / MEBIBYTE)}`,
    "--no-warnings",
  ];
}

/** Returns the folders that packages are looked for in, with the targets of links. */
function packageFolders(): string[] {
  const places = createRequire(import.meta.url).resolve.paths("unpdf") ?? [];
  return places.filter((path) => existsSync(path)).flatMap((path) => [path, realpathSync(path)]);
}
