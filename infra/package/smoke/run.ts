import { spawnSync } from "node:child_process";

const WITHIN_MS = 300_000;

/**
 * Runs a command to its end.
 *
 * @returns Its standard output.
 * @throws {Error} It failed; the message has what it wrote.
 */
export function run(
  command: string,
  args: readonly string[],
  { cwd, env = process.env }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    timeout: WITHIN_MS,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? status}\n${stdout}${stderr}`);
}
