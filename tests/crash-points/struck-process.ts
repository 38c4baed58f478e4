import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { expect } from "vitest";
import { strikeLine } from "#shared/crash-points";
import type { CrashPointName } from "#shared/crash-points";

export interface Strike {
  readonly point: CrashPointName;
  readonly action: "kill" | "pause" | "throw";
  /** At which passing of the point it strikes. Default: the first. */
  readonly nth?: number;
}

/** A machine that is busy with other tests may be this slow, in ms. A test that waits longer is broken. */
export const WAIT_MS = 90_000;

/** A real service process, struck at one point or not at all. */
export class StruckProcess {
  readonly child: ChildProcess;
  private readonly strike: Strike | null;
  private said = "";

  /** @param start.command - The script and its arguments. */
  constructor(start: {
    readonly command: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly strike: Strike | null;
  }) {
    const { strike } = start;
    this.strike = strike;
    this.child = spawn(process.execPath, ["--disable-sigusr1", ...start.command], {
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        ...start.env,
        ...(strike === null
          ? {}
          : { SUTURE_CRASH_POINT: `${strike.point} ${strike.action} ${strike.nth ?? 1}` }),
      },
    });
    this.child.stderr?.on("data", (part) => (this.said += String(part)));
  }

  /** Waits until the point struck. A process that lives on untouched, or dies of something else, fails the test. */
  async untilStruck(): Promise<void> {
    if (this.strike === null) throw new Error("this process is not to be struck");
    const { point, action } = this.strike;
    await expect
      .poll(() => this.said.includes(strikeLine(point)) || this.child.exitCode !== null, { timeout: WAIT_MS })
      .toBe(true);
    expect(this.said).toContain(strikeLine(point));
    if (action === "kill")
      await expect.poll(() => this.child.signalCode, { timeout: WAIT_MS }).toBe("SIGKILL");
  }

  /** Lets a stopped process go on. */
  wake(): void {
    this.child.kill("SIGCONT");
  }

  /** Ends the process. One that was not to be struck and ended by itself, on a port that is taken, say, is told. */
  async end(): Promise<void> {
    const { exitCode, signalCode } = this.child;
    if (this.strike === null) expect(exitCode ?? 0, `a process ended by itself: ${this.said}`).toBe(0);
    if (exitCode !== null || signalCode !== null) return;
    this.child.kill("SIGKILL");
    await once(this.child, "exit");
  }
}
