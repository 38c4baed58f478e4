import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { sleep } from "#shared/clock";

/** Command line and environment of a process. */
export interface Launch {
  /** Arguments of Node: flags, the script, its own arguments. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The wait before a process that ended is started again, in ms, as any supervisor keeps it. */
const RESPAWN_DELAY_MS = 300;
const STOP_WITHIN_MS = 8000;

/** A process under test: started again whenever it ends, until it is stopped. */
export class ServiceProcess {
  /** Launch of its next life. */
  launch: Launch;
  /** Lives that it ended by itself, with an error. */
  refusals = 0;
  /** Starts so far. */
  starts = 0;
  readonly #logFile: string;
  #child: ChildProcess | null = null;
  #isStopping = false;

  /** @param options.logFile - Takes what it prints, over all its lives. */
  constructor(options: Launch & { readonly logFile: string }) {
    this.launch = options;
    this.#logFile = options.logFile;
  }

  /** Null while it is not alive. */
  get pid(): number | null {
    return this.isAlive ? (this.#child?.pid ?? null) : null;
  }

  get isAlive(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  start(): void {
    const { args, env } = this.launch;
    const log = openSync(this.#logFile, "a", 0o600);
    const child = spawn(process.execPath, ["--disable-sigusr1", ...args], {
      stdio: ["ignore", log, log],
      env,
    });
    remember(child);
    closeSync(log);
    this.#child = child;
    this.starts += 1;
    child.once("exit", (code) => {
      if (code !== null && code !== 0) this.refusals += 1;
      void this.#respawn();
    });
  }

  /** Sends a signal. @returns whether there was a process to take it. */
  signal(name: NodeJS.Signals): boolean {
    return this.isAlive && this.#child?.kill(name) === true;
  }

  /** Ends it as a crash would, and waits until it is gone. @returns whether the signal ended it. */
  async kill(): Promise<boolean> {
    const child = this.#child;
    if (child === null || !this.isAlive) return false;
    child.kill("SIGKILL");
    await once(child, "exit");
    return child.signalCode === "SIGKILL";
  }

  /** Ends this life, cleanly or as a crash would; the next one is started as told. */
  async relaunch(launch: Launch, way: "clean" | "crash"): Promise<void> {
    this.launch = launch;
    if (way === "crash") await this.kill();
    else await this.#end();
  }

  /** Asks it to end; makes it end if it does not. It is not started again. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#end();
  }

  /** For the last moment of this process: no child may outlive it. */
  abandon(): void {
    this.#isStopping = true;
    this.#child?.kill("SIGKILL");
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (child === null || !this.isAlive) return;
    // One that stands still could not hear it.
    child.kill("SIGCONT");
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
    await once(child, "exit");
    clearTimeout(timer);
  }

  async #respawn(): Promise<void> {
    if (this.#isStopping) return;
    await sleep(RESPAWN_DELAY_MS);
    if (!this.#isStopping) this.start();
  }
}

/** Every process that this run of the suite has started and not seen end. */
const pids = new Set<number>();

/** Remembers a process until it ends, so that an interrupted run leaves none behind. */
export function remember(child: {
  readonly pid?: number | undefined;
  once(event: "exit", listener: () => void): unknown;
}): void {
  const { pid } = child;
  if (pid === undefined) return;
  pids.add(pid);
  child.once("exit", () => pids.delete(pid));
}

/** Ends what is left at once; a paused process too. */
export function killStarted(): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended, and its exit was not heard of yet.
    }
  }
}
