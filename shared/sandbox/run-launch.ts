import { closeSync, openSync, readFileSync, readdirSync } from "node:fs";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { Writable } from "node:stream";
import type { Readable } from "node:stream";
import { sleep } from "#shared/clock";
import type { Launch, SandboxedCommand, SandboxedEnd } from "./command.ts";
import { SandboxNotStartedError } from "./errors.ts";
import { readFile } from "node:fs/promises";

const LOOK_EVERY_MS = 100;
const GONE_WITHIN_MS = 10_000;
/** Shells report a command ended by a signal as this plus the signal's number. */
const SIGNALLED = 128;
const REASON_LENGTH_MAX = 500;

/** Runs a launch to its end, or kills it at a limit. @throws {SandboxNotStartedError} It ended before the command. */
export async function runLaunch(launch: Launch, run: SandboxedCommand): Promise<SandboxedEnd> {
  const { bounds, signal } = run;
  signal.throwIfAborted();
  const child = start(launch);
  const { pid } = child;
  const ended = whenEnded(child);
  if (pid === undefined) throw new SandboxNotStartedError(await ended.catch((error: unknown) => error));
  // The rest of the group dies with its leader and releases the pipes that `ended` waits for.
  child.once("exit", () => killNow(-pid));
  const watch = new AbortController();
  try {
    const output = collect([readable(child, 1), readable(child, 2)], bounds.outputBytesMax);
    const result = collect([readable(child, 3)], bounds.resultBytesMax);
    const ready = collect([readable(child, 4)], 100);
    give(child, run.input);
    await run.onGroup?.(pid);
    const stopped = await Promise.race([
      ended.then(() => null),
      Promise.race([output.whenFull, result.whenFull]).then(() => "output" as const),
      sleep(bounds.timeMs, AbortSignal.any([signal, watch.signal])).then(() => "time" as const),
      whenTooLarge(pid, bounds.memoryBytesMax, watch.signal),
    ]);
    if (stopped !== null) await endAll(child, launch, ended);
    const end = await ended;
    if (stopped === null && ready.text() === "")
      throw new SandboxNotStartedError(output.text().trim().slice(0, REASON_LENGTH_MAX));
    return { ...end, stopped, output: output.text(), result: result.text(), places: launch.places };
  } finally {
    watch.abort();
    await endAll(child, launch, ended);
    for (const stream of child.stdio) stream?.destroy();
  }
}

/** Number of the launch's descriptors, all pipes. */
const PIPES = 6;
const INPUT = 5;

/** Starts it in its own session, without a terminal. Descriptors that would leak lead to /dev/null. */
function start({ command, args, cwd, env }: Launch): ChildProcess {
  const leaking = leakingDescriptors().filter((descriptor) => descriptor >= PIPES);
  const nowhere = leaking.length === 0 ? null : openSync("/dev/null", "r");
  const stdio = Array.from({ length: Math.max(PIPES, ...leaking.map((one) => one + 1)) }, (_, descriptor) => {
    if (descriptor < PIPES) return "pipe";
    return nowhere !== null && leaking.includes(descriptor) ? nowhere : "ignore";
  });
  try {
    return spawn(command, args, { cwd, env: { ...env }, detached: true, stdio });
  } finally {
    if (nowhere !== null) closeSync(nowhere);
  }
}

/** Kills the namespaces' first process, which ends all; without namespaces, the process group. */
async function endAll(child: ChildProcess, { hasNamespaces }: Launch, ended: Promise<Ended>): Promise<void> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const first = hasNamespaces ? await childrenOf(pid) : [];
  if (first.length === 0) killNow(-pid);
  else first.forEach((one) => killNow(one));
  const over = new AbortController();
  const late = sleep(GONE_WITHIN_MS, over.signal).then(() => killNow(-pid));
  await Promise.race([ended, late]).catch(() => undefined);
  over.abort();
}

type Ended = Pick<SandboxedEnd, "exitCode" | "signal">;

function whenEnded(child: ChildProcess): Promise<Ended> {
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, signal) => resolve(readEnd(exitCode, signal)));
  });
  // Awaited later; a failed start is reported there.
  ended.catch(() => undefined);
  return ended;
}

function readEnd(exitCode: number | null, signal: NodeJS.Signals | null): Ended {
  const found = Object.entries(constants.signals).find(([, value]) => value + SIGNALLED === exitCode);
  // The keys of this table are those of the type.
  return found === undefined ? { exitCode, signal } : { exitCode: null, signal: found[0] as NodeJS.Signals };
}

/** All descriptors are pipes. */
function readable(child: ChildProcess, descriptor: number): Readable {
  return child.stdio[descriptor] as Readable;
}

/** A command that stops reading reports why by its exit. */
function give(child: ChildProcess, input: Uint8Array | null): void {
  const streams: readonly (Readable | Writable | null | undefined)[] = child.stdio;
  const stream = streams[INPUT];
  if (stream instanceof Writable) stream.on("error", () => undefined).end(input ?? new Uint8Array());
}

function collect(
  streams: readonly Readable[],
  bytesMax: number,
): { whenFull: Promise<void>; text: () => string } {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const whenFull = new Promise<void>((resolve) => {
    for (const stream of streams) {
      // The other end may close first.
      stream.on("error", () => undefined);
      stream.on("data", (chunk: Buffer) => {
        if (bytes < bytesMax) chunks.push(chunk.subarray(0, bytesMax - bytes));
        bytes += chunk.length;
        if (bytes > bytesMax) resolve();
      });
    }
  });
  return { whenFull, text: () => Buffer.concat(chunks).toString("utf8") };
}

/** Never resolves when the system does not tell; ends with `over`. */
async function whenTooLarge(pid: number, bytesMax: number, over: AbortSignal): Promise<"memory"> {
  for (;;) {
    if ((await residentBytes(pid)) > bytesMax) return "memory";
    await sleep(LOOK_EVERY_MS, over);
  }
}

/** `O_CLOEXEC`, as the kernel prints it. */
const CLOSES_ON_EXEC = 0o2_000_000;

/** Returns descriptors that child processes would inherit. Node opens none; the parent may have left some. */
export function leakingDescriptors(): number[] {
  return listDescriptors().filter((descriptor) => {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readInfo(descriptor))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) === 0;
  });
}

function listDescriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

function readInfo(descriptor: number): string {
  try {
    return readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8");
  } catch {
    return "";
  }
}

/** Returns the ids of a process's children. Empty when the system does not tell, or the process is gone. */
async function childrenOf(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return listed
    .split(" ")
    .filter((id) => id !== "")
    .map(Number);
}

/** Returns the resident bytes of a process and its descendants; 0 when the system does not tell. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kibibytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
  const below = await Promise.all((await childrenOf(pid)).map((child) => residentBytes(child)));
  return below.reduce((sum, bytes) => sum + bytes, kibibytes * 1024);
}

/** Sends SIGKILL. Does nothing when the process is gone. @param pid - Negative: a process group. */
function killNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
