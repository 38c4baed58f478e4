import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { processEnv } from "./process-env.ts";

export interface CliAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command of the CLI as a process of its own, with nothing in its environment but `env`. */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CliAnswer> {
  const child = spawn(process.execPath, ["--disable-sigusr1", "services/cli/main.ts", ...args], {
    env: { ...processEnv(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (chunk: string) => (output[name] += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, ...output };
}

/** A launcher, with all that it has said so far. */
export interface Launcher {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
}

/** Starts a command of the CLI that starts services, on free ports and with its data in a folder. */
export function spawnLauncher(
  args: readonly string[],
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Launcher {
  const child = spawn(process.execPath, ["infra/suture.mjs", ...args], {
    env: {
      ...processEnv(),
      HOME: process.env["HOME"] ?? dataDir,
      SUTURE_DATA_DIR: dataDir,
      SUTURE_GATEWAY_PORT: "0",
      SUTURE_CONSOLE_PORT: "0",
      SUTURE_REHEARSAL_PORT: "0",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { child, output: () => output, ended };
}
