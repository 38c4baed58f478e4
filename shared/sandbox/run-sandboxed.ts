import { tmpdir } from "node:os";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readJson } from "#shared/json";
import type { SandboxedCommand, SandboxedEnd, Launch } from "./command.ts";
import { SandboxUnavailableError, SandboxNotStartedError } from "./errors.ts";
import { prepareInNamespaces, ToolMissingError } from "./in-namespaces.ts";
import { runLaunch } from "./run-launch.ts";

/** `require`: untrusted code runs in isolation or not at all. `off`: it runs with this process's rights. */
type CodeIsolation = "require" | "off";

let isolation: CodeIsolation = "require";
let probed: Promise<string | null> | null = null;

/** Sets whether untrusted code needs isolation in this process. Default `require`. */
export function setCodeIsolation(wanted: CodeIsolation): void {
  isolation = wanted;
}

/** Tests whether code can be isolated here; caches success only. @returns What is missing, in words, or null. */
export async function findMissingIsolation(): Promise<string | null> {
  probed ??= probeIsolation();
  const missing = await probed;
  if (missing !== null) probed = null;
  return missing;
}

/**
 * Runs an untrusted Node program: no network, no other processes, nothing to read but what is listed, nothing to write
 * but a scratch folder. All of it is gone when this returns, and when this process dies.
 * @throws {SandboxUnavailableError} This machine cannot hold it, and `off` was not set.
 * @throws {SandboxNotStartedError} It could not be started this time. Or the signal's reason.
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
 * The process group kills itself when its standard input closes, as when we die; a loop inside cannot prevent it. Input
 * comes on descriptor 5. The kernel bounds files, written bytes and processor time.
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

const PROBE = fileURLToPath(new URL(`child/probe${extname(import.meta.filename)}`, import.meta.url));
const MEBIBYTE = 1024 * 1024;
const BOUNDS = {
  timeMs: 10_000,
  outputBytesMax: 10_000,
  resultBytesMax: 10_000,
  memoryBytesMax: 512 * MEBIBYTE,
  writtenBytesMax: MEBIBYTE,
  filesMax: 100,
  tasksMax: 64,
};

/** Output of `child/probe.ts`: the forbidden actions that succeeded. */
const breaches = z.array(z.string());

/** Kernel settings that forbid namespaces, with the forbidding value. */
const SWITCHES = [
  ["/proc/sys/user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=0"],
  ["/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=0"],
  [
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "1",
    "sysctl kernel.apparmor_restrict_unprivileged_userns=1",
  ],
] as const;

/** Runs a program that tries to escape isolation. @returns What is missing or fails, in words; null: it works. */
async function probeIsolation(): Promise<string | null> {
  if (process.platform !== "linux") return `namespaces are a part of Linux, and this is ${process.platform}.`;
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address of this type.
  const { port } = server.address() as AddressInfo;
  try {
    const command: SandboxedCommand = {
      args: () => [PROBE, String(port), import.meta.filename],
      env: () => ({}),
      visible: [PROBE],
      folders: null,
      input: null,
      bounds: BOUNDS,
      signal: new AbortController().signal,
    };
    const { result, output } = await runLaunch(prepareInNamespaces(command), command);
    const found = breaches.safeParse(readJson(result));
    if (!found.success) return `the probe gave no answer (${output.trim().slice(0, 300)}).`;
    return found.data.length === 0 ? null : `isolation does not hold: ${found.data.join(", ")}.`;
  } catch (error) {
    return `${describe(error)}${explain()}`;
  } finally {
    server.close();
  }
}

function describe(error: unknown): string {
  if (error instanceof ToolMissingError) return `${error.message}.`;
  const cause = error instanceof SandboxNotStartedError ? error.cause : error;
  return `${typeof cause === "string" ? cause : String(cause)}.`;
}

function explain(): string {
  const set = SWITCHES.filter(([file, value]) => read(file) === value).map(([, , name]) => name);
  if (process.getuid?.() === 0)
    return " Root needs the capability SYS_ADMIN here, which containers take away.";
  return set.length === 0 ? "" : ` Switched off by ${set.join(" and ")}.`;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}
