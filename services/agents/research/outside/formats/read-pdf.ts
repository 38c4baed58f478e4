import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { PackageMissingError } from "#shared/errors";
import { runSandboxed } from "#shared/sandbox";
import { PACKAGES_MISSING } from "./pdf-child/exit.ts";
import { toSource, unreadableSource } from "../read-source.ts";
import type { Source } from "../read-source.ts";
import { childAnswer } from "./pdf-child/answer.ts";

const MEBIBYTE = 1024 * 1024;
/** Bytes of one PDF. */
export const PDF_BYTES_MAX = 16 * MEBIBYTE;
const PAGES_MAX = 600;
const TEXT_BYTES_MAX = 8 * MEBIBYTE;
const MEMORY_BYTES_MAX = 512 * MEBIBYTE;
const BOUNDS = {
  timeMs: 20_000,
  memoryBytesMax: MEMORY_BYTES_MAX,
  resultBytesMax: TEXT_BYTES_MAX,
  /** Threads; Node itself takes about twelve. */
  tasksMax: 64,
  // It writes no files and says nothing.
  outputBytesMax: MEBIBYTE,
  writtenBytesMax: MEBIBYTE,
  filesMax: 10,
};
const FAULTS_AT_BOUNDS = { time: "too_slow", memory: "too_much_memory", output: "too_much_text" } as const;

const CHILD_FOLDER = fileURLToPath(new URL("pdf-child/", import.meta.url));
const CHILD = fileURLToPath(new URL(`pdf-child/main${extname(import.meta.filename)}`, import.meta.url));

/**
 * A source from a PDF, read in a sandbox that is bounded in time, memory and answer, and reaches nothing but its own
 * code. What cannot be read, such as scanned pages without text, is told as unreadable.
 *
 * @throws {PackageMissingError} The optional package that reads such files is not installed.
 * @throws {SandboxUnavailableError | SandboxNotStartedError}
 * @throws the signal's reason when that is aborted.
 */
export async function readPdf(sourceId: string, bytes: Uint8Array, signal: AbortSignal): Promise<Source> {
  const code = codeOfReader();
  const end = await runSandboxed({
    args: () => [...permissions(code), CHILD, String(PAGES_MAX)],
    env: () => ({}),
    visible: code,
    folders: null,
    input: bytes,
    bounds: BOUNDS,
    signal,
  });
  if (end.stopped !== null) return unreadableSource(sourceId, FAULTS_AT_BOUNDS[end.stopped]);
  if (end.exitCode === PACKAGES_MISSING) throw new PackageMissingError(["unpdf"]);
  const answer = end.exitCode === 0 ? readAnswer(end.result) : null;
  if (answer === null || "fault" in answer) return unreadableSource(sourceId, answer?.fault ?? "damaged");
  const pages = answer.pages.map((page) => page.trim());
  const [title] = pages.join("\n").split("\n", 1);
  return toSource({ sourceId, title, body: pages.join("\n\n") });
}

/** Null: an answer of another form, from a decoder that its file has taken over. */
function readAnswer(text: string) {
  try {
    return childAnswer.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

let readable: readonly string[] | null = null;

/** The child's own code and the packages, wherever they were installed: nothing else on this machine. */
function codeOfReader(): readonly string[] {
  const packages = createRequire(import.meta.url).resolve.paths("unpdf") ?? [];
  readable ??= [
    ...new Set([
      CHILD_FOLDER,
      fileURLToPath(new URL("../../../../../package.json", import.meta.url)),
      ...packages.filter((path) => existsSync(path)).flatMap((path) => [path, realpathSync(path)]),
    ]),
  ];
  return readable;
}

/** The permission model keeps the reader to its code a second time, should the sandbox be switched off. */
function permissions(code: readonly string[]): string[] {
  return [
    "--permission",
    ...code.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${Math.floor(MEMORY_BYTES_MAX / 2 / MEBIBYTE)}`,
    "--no-warnings",
  ];
}
