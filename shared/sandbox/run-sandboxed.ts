import type { SandboxedCommand, SandboxedEnd, Launch } from "./command.ts";
import { SandboxUnavailableError } from "./errors.ts";
import { prepareInNamespaces } from "./in-namespaces.ts";
import { probeIsolation } from "./probe.ts";
import { runLaunch } from "./run-launch.ts";
import { tmpdir } from "node:os";

/** `require`: untrusted code runs in isolation or not at all. `off`: it runs with this process's rights. */
export type CodeIsolation = "require" | "off";

let isolation: CodeIsolation = "require";
let probed: Promise<string | null> | null = null;

/** Sets whether untrusted code needs isolation in this process. Default `require`. */
export function setCodeIsolation(wanted: CodeIsolation): void {
  isolation = wanted;
}

/**
 * Tests whether this machine can isolate code. Caches success only, so that a fix needs no restart.
 * @returns What is missing, in words. Null: isolation works.
 */
export async function findMissingIsolation(): Promise<string | null> {
  probed ??= probeIsolation();
  const missing = await probed;
  if (missing !== null) probed = null;
  return missing;
}

/**
 * Runs a Node program that is not to be trusted: without network, without sight of other processes, with nothing to
 * read but what is listed and nothing to write but a scratch folder that is gone afterwards. Everything that it started
 * is gone when this returns, and when this process dies.
 *
 * @throws {SandboxUnavailableError} This machine cannot hold it, and `off` was not set.
 * @throws {SandboxNotStartedError} It could not be started this time.
 * @throws the signal's reason when that is aborted.
 */
export async function runSandboxed(command: SandboxedCommand): Promise<SandboxedEnd> {
  command.signal.throwIfAborted();
  if (isolation === "off") return runLaunch(prepareWithoutIsolation(command), command);
  const missing = await findMissingIsolation();
  if (missing !== null) throw new SandboxUnavailableError(missing);
  return runLaunch(prepareInNamespaces(command), command);
}

const BLOCK_BYTES = 512;
/** Processor seconds for each second allowed. */
const PROCESSORS = 4;

/**
 * The process group kills itself when its standard input closes, which it does when we die, however we die: a
 * loop that never yields inside the command cannot prevent it. Input that the command is to have comes on
 * descriptor 5. Core files, open files, written bytes and processor time are the kernel's to bound.
 */
const GUARDED = [
  'ulimit -c 0; ulimit -n 1024; ulimit -t "$1"; ulimit -f "$2"; shift 2',
  "exec 6<&0",
  "( cat <&6 >/dev/null; kill -KILL 0 ) >/dev/null 2>&1 3>&- 4>&- 5<&- &",
  "printf ready >&4",
  'exec "$@" <&5 4>&- 5<&- 6<&-',
].join("\n");

/** Runs the command in the caller's folder, with the rights and the network of this process. */
function prepareWithoutIsolation(command: SandboxedCommand): Launch {
  const { bounds, folders } = command;
  const places = folders ?? { work: tmpdir(), temporary: tmpdir() };
  const seconds = Math.ceil(bounds.timeMs / 1000) * PROCESSORS;
  const blocks = Math.ceil(bounds.writtenBytesMax / BLOCK_BYTES);
  const own = [process.execPath, "--disable-sigusr1", ...command.args(places)];
  return {
    command: "/bin/sh",
    args: ["-c", GUARDED, "sh", String(seconds), String(blocks), ...own],
    env: command.env(places),
    cwd: places.work,
    places,
    hasNamespaces: false,
  };
}
