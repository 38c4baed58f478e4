import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { SandboxedCommand } from "./command.ts";
import { SandboxNotStartedError } from "./errors.ts";
import { ToolMissingError } from "./find-tool.ts";
import { prepareInNamespaces } from "./in-namespaces.ts";
import { runLaunch } from "./run-launch.ts";

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

/**
 * Runs a program in isolation that tries to escape: to the network, a file of this machine, another process.
 * @returns What is missing or fails, in words. Null: isolation works here.
 */
export async function probeIsolation(): Promise<string | null> {
  if (process.platform !== "linux") return `namespaces are a part of Linux, and this is ${process.platform}.`;
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address of this type.
  const { port } = server.address() as AddressInfo;
  try {
    const command = probeCommand(port);
    const { result, output } = await runLaunch(prepareInNamespaces(command), command);
    const found = breaches.safeParse(parse(result));
    if (!found.success) return `the probe gave no answer (${output.trim().slice(0, 300)}).`;
    return found.data.length === 0 ? null : `isolation does not hold: ${found.data.join(", ")}.`;
  } catch (error) {
    return `${describe(error)}${explain()}`;
  } finally {
    server.close();
  }
}

function probeCommand(port: number): SandboxedCommand {
  return {
    args: () => [PROBE, String(port), String(process.pid), import.meta.filename],
    env: () => ({}),
    visible: [PROBE],
    folders: null,
    input: null,
    bounds: BOUNDS,
    signal: new AbortController().signal,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
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
