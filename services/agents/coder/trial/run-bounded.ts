import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { sleep } from "#shared/clock";
import { TestsNotStartedError } from "../errors.ts";
import { killGroup } from "./kill-group.ts";

/** What a process may use. */
export interface ProcessBounds {
  readonly timeMs: number;
  readonly outputBytesMax: number;
  /** Resident bytes, looked at ten times a second where the system tells them (Linux). */
  readonly memoryBytesMax: number;
  readonly writtenBytesMax: number;
}

export interface BoundedCommand {
  /** Program and arguments; no shell reads them. */
  readonly command: readonly [string, ...string[]];
  readonly folder: string;
  /** The whole environment: nothing of ours is passed on. */
  readonly env: Readonly<Record<string, string>>;
  readonly bounds: ProcessBounds;
  readonly signal: AbortSignal;
  /** Told the process group's id before anything is waited for. */
  readonly onGroup: (pid: number) => Promise<void>;
}

/** How it ended. `stopped` names the bound at which it was killed. */
export interface BoundedEnd {
  readonly exitCode: number | null;
  /** The signal that killed it, from the kernel when memory is short or from a person. Null: it ended by itself. */
  readonly signal: NodeJS.Signals | null;
  readonly stopped: "time" | "output" | "memory" | null;
  /** Standard output and error together, cut at the bound. */
  readonly output: string;
}

const LOOK_EVERY_MS = 100;
const BLOCK_BYTES = 512;
/**
 * Processor seconds for each second allowed: the kernel's own bound, should everybody who watches be killed at
 * once.
 */
const PROCESSORS = 4;

/**
 * The process group kills itself when its standard input closes, which it does when we die, however we die: a
 * loop that never yields inside the command cannot prevent it. Core files, open files, written bytes and
 * processor time are the kernel's to bound.
 */
const GUARDED = [
  'ulimit -c 0; ulimit -n 1024; ulimit -t "$1"; ulimit -f "$2"; shift 2',
  "exec 3<&0",
  "( cat <&3 >/dev/null; kill -KILL 0 ) >/dev/null 2>&1 &",
  'exec "$@" 3<&- </dev/null',
].join("\n");

/**
 * Runs a command in a process group of its own, which does not outlive this call: nor this process.
 *
 * @throws {TestsNotStartedError} It could not be started. @throws the signal's reason when that is aborted.
 */
export async function runBounded(run: BoundedCommand): Promise<BoundedEnd> {
  const { bounds, folder, env, command, signal } = run;
  signal.throwIfAborted();
  const seconds = Math.ceil(bounds.timeMs / 1000) * PROCESSORS;
  const blocks = Math.ceil(bounds.writtenBytesMax / BLOCK_BYTES);
  const child = spawn("/bin/sh", ["-c", GUARDED, "sh", String(seconds), String(blocks), ...command], {
    cwd: folder,
    env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const { pid } = child;
  const ended = whenEnded(child);
  if (pid === undefined) throw new TestsNotStartedError(await ended.catch((error: unknown) => error));
  const watch = new AbortController();
  // Whatever is left of the group goes with its leader, and lets go of the pipes that `ended` waits for.
  child.once("exit", () => killGroup(pid));
  try {
    await run.onGroup(pid);
    const output = collect(child, bounds.outputBytesMax);
    const stopped = await Promise.race([
      ended.then(() => null),
      output.whenFull.then(() => "output" as const),
      sleep(bounds.timeMs, watch.signal).then(() => "time" as const),
      whenTooLarge(pid, bounds.memoryBytesMax, watch.signal),
      whenAborted(signal, watch.signal),
    ]);
    killGroup(pid);
    return { ...(await ended), stopped, output: output.text() };
  } finally {
    watch.abort();
    killGroup(pid);
    child.stdin.destroy();
  }
}

function whenEnded(child: ChildProcess): Promise<Pick<BoundedEnd, "exitCode" | "signal">> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

function collect(child: ChildProcess, bytesMax: number): { whenFull: Promise<void>; text: () => string } {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const whenFull = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        if (bytes < bytesMax) chunks.push(chunk.subarray(0, bytesMax - bytes));
        bytes += chunk.length;
        if (bytes > bytesMax) resolve();
      });
    }
  });
  return { whenFull, text: () => Buffer.concat(chunks).toString("utf8") };
}

/** Never resolves where the system does not tell; ends with `over`. */
async function whenTooLarge(pid: number, bytesMax: number, over: AbortSignal): Promise<"memory"> {
  for (;;) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const kibibytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
    if (kibibytes * 1024 > bytesMax) return "memory";
    await sleep(LOOK_EVERY_MS, over);
  }
}

function whenAborted(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true, signal: over });
  });
}
