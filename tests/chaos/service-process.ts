import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { sleep } from "#shared/clock";

export interface ServiceOptions {
  /** Arguments of Node: flags, the script, its own arguments. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Takes what it prints, over all its lives. */
  readonly logFile: string;
}

/** The wait before a process that ended is started again, in ms, as any supervisor keeps it. */
const RESPAWN_DELAY_MS = 300;
const STOP_WITHIN_MS = 8000;

/** A process under test: started again whenever it ends, until it is stopped. */
export class ServiceProcess {
  readonly #options: ServiceOptions;
  #child: ChildProcess | null = null;
  #isStopping = false;
  #starts = 0;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** How often it was started. */
  get starts(): number {
    return this.#starts;
  }

  get isAlive(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  start(): void {
    const { args, env, logFile } = this.#options;
    const log = openSync(logFile, "a", 0o600);
    const child = spawn(process.execPath, args, { stdio: ["ignore", log, log], env });
    closeSync(log);
    this.#child = child;
    this.#starts += 1;
    child.once("exit", () => void this.#respawn());
  }

  /** Sends a signal. @returns whether there was a process to take it. */
  signal(name: NodeJS.Signals): boolean {
    return this.isAlive && this.#child?.kill(name) === true;
  }

  /** Ends it as a crash would, and waits until it is gone. @returns whether the signal ended it. */
  async kill(): Promise<boolean> {
    const child = this.#child;
    if (child === null || !this.isAlive) return false;
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill("SIGKILL");
    await gone;
    return child.signalCode === "SIGKILL";
  }

  /** Asks it to end; makes it end if it does not. It is not started again. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const child = this.#child;
    if (child === null || !this.isAlive) return;
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
    await gone;
    clearTimeout(timer);
  }

  /** For the last moment of this process: no child may outlive it. */
  abandon(): void {
    this.#isStopping = true;
    this.#child?.kill("SIGKILL");
  }

  async #respawn(): Promise<void> {
    if (this.#isStopping) return;
    await sleep(RESPAWN_DELAY_MS);
    if (!this.#isStopping) this.start();
  }
}
