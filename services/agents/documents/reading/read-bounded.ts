import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { sleep } from "#shared/clock";
import { ReaderFailedError } from "../errors.ts";
import type { DocumentLimits } from "../limits.ts";
import { childAnswer } from "./reading.ts";
import type { ChildTask, Fault, ReadableType, Reading } from "./reading.ts";

export interface FileToRead {
  readonly bytes: Uint8Array;
  readonly type: ReadableType;
  readonly limits: DocumentLimits;
  readonly signal: AbortSignal;
}

export type ReadFile = { readonly reading: Reading } | { readonly fault: Fault };

const CHILD = fileURLToPath(new URL("child/main.ts", import.meta.url));
const MEBIBYTE = 1024 * 1024;
const LOOK_EVERY_MS = 25;
/** As JSON a character of text is six at most. */
const ANSWER_BYTES_PER_CHARACTER = 6;

/**
 * Reads a stranger's file in a process of its own: bounded in time, memory and answer, with no environment, no files
 * but its own code, no children and no writing. What it cannot read is a fault, never a crash of ours.
 *
 * @throws {ReaderFailedError} The process could not be started, or ended for no fault of the file's.
 * @throws the signal's reason when that is aborted.
 */
export async function readBounded({ bytes, type, limits, signal }: FileToRead): Promise<ReadFile> {
  signal.throwIfAborted();
  const { pixelsMax, pagesMax, charactersMax } = limits;
  const task: ChildTask = { type, pixelsMax, pagesMax, charactersMax };
  const child = spawn(process.execPath, [...permissions(limits), CHILD, JSON.stringify(task)], {
    env: {},
    stdio: ["pipe", "pipe", "ignore"],
  });
  const over = new AbortController();
  try {
    const said = take(child, charactersMax * ANSWER_BYTES_PER_CHARACTER + MEBIBYTE);
    // A child that stops listening says why by how it ends.
    child.stdin.on("error", () => undefined).end(bytes);
    const ended = await Promise.race([
      said,
      sleep(limits.readMs, over.signal).then((): ReadFile => ({ fault: "too_slow" })),
      whenTooLarge(child.pid ?? 0, limits.memoryBytesMax, over.signal),
      whenAborted(signal, over.signal),
    ]);
    return typeof ended === "string" ? childAnswer.parse(JSON.parse(ended)) : ended;
  } finally {
    over.abort();
    child.kill("SIGKILL");
  }
}

let readable: string[] | null = null;

/** The child's own code and the packages, wherever they were installed: nothing else on this machine. */
function permissions({ memoryBytesMax }: DocumentLimits): string[] {
  readable ??= [
    fileURLToPath(new URL("./", import.meta.url)),
    fileURLToPath(new URL("../../../../package.json", import.meta.url)),
    ...packageFolders(),
  ];
  return [
    "--permission",
    ...new Set(readable.map((path) => `--allow-fs-read=${path}`)),
    `--max-old-space-size=${Math.floor(memoryBytesMax / 2 / MEBIBYTE)}`,
    "--no-warnings",
  ];
}

/** Where packages are looked for, and where a link among these leads. */
function packageFolders(): string[] {
  const places = createRequire(import.meta.url).resolve.paths("unpdf") ?? [];
  return places.filter((path) => existsSync(path)).flatMap((path) => [path, realpathSync(path)]);
}

/** What the child says until it ends. Ends by a heap that is full are its memory's fault. */
function take(child: ChildProcess, bytesMax: number): Promise<string | ReadFile> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout?.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) resolve({ fault: "too_much_text" });
      else chunks.push(chunk);
    });
    child.once("error", (error) => reject(new ReaderFailedError(error)));
    child.once("close", (code, killedBy) => {
      if (code === 0) resolve(Buffer.concat(chunks).toString("utf8"));
      else if (killedBy === "SIGABRT" || code === 134) resolve({ fault: "too_much_memory" });
      else reject(new ReaderFailedError(code ?? killedBy));
    });
  });
}

/** Never resolves where the system does not tell; ends with `over`. */
async function whenTooLarge(pid: number, bytesMax: number, over: AbortSignal): Promise<ReadFile> {
  for (;;) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const kibibytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
    if (kibibytes * 1024 > bytesMax) return { fault: "too_much_memory" };
    await sleep(LOOK_EVERY_MS, over);
  }
}

function whenAborted(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true, signal: over });
  });
}
