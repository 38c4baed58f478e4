import { spawn } from "node:child_process";
import { processEnv } from "./process-env.ts";

/** What a command wrote, and its exit code. */
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
