import { execFile } from "node:child_process";

export interface ToolRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Output kept of a tool. Bytes. */
const OUTPUT_BYTES_MAX = 4 * 1024 * 1024;

/** Runs a system tool to its end, without a terminal. `isOk` is false for any failure. Rejects only when aborted. */
export function runTool(run: ToolRun): Promise<{ readonly isOk: boolean; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      run.command,
      run.args,
      {
        cwd: run.cwd,
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C", ...run.env },
        timeout: run.timeoutMs,
        maxBuffer: OUTPUT_BYTES_MAX,
        ...(run.signal === undefined ? {} : { signal: run.signal }),
      },
      (error, stdout, stderr) => {
        if (run.signal?.aborted) reject(run.signal.reason);
        else resolve({ isOk: error === null, output: `${stdout}${stderr}` });
      },
    );
    child.stdin?.end();
  });
}
