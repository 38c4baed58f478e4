import { spawn } from "node:child_process";
import type { ChildProcess, StdioOptions } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** One process that the launcher runs. */
export interface ServiceSpec {
  /** Unique; also the name of its log and of its key file. */
  readonly name: string;
  /** The service's `main.ts`, absolute. */
  readonly script: string;
  readonly args: readonly string[];
  /** Agents and services whose keys it gets. */
  readonly agents: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/** For `node --import`. The process needs an IPC channel. */
const STOP_WITH_PARENT = fileURLToPath(
  new URL(`stop-with-parent${extname(import.meta.filename)}`, import.meta.url),
);

/**
 * Starts a process of Node that ends with this one, out of reach of Ctrl+C: this process stops it in order. Node is
 * told not to open an inspector at SIGUSR1, which any program of the user could read. @param stdio - With `ipc`.
 */
export function spawnService(
  { script, args, env }: Pick<ServiceSpec, "script" | "args"> & { readonly env: NodeJS.ProcessEnv },
  stdio: StdioOptions,
): ChildProcess {
  const all = ["--disable-sigusr1", "--import", STOP_WITH_PARENT, script, ...args];
  return spawn(process.execPath, all, { stdio, env, detached: true });
}

export const FOREGROUND: StdioOptions = ["inherit", "inherit", "inherit", "ipc"];
