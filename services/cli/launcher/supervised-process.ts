import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync } from "node:fs";
import { extname } from "node:path";
import type { Stream } from "node:stream";
import { fileURLToPath } from "node:url";
import { now, sleep } from "#shared/clock";
import { limitLog, openLog, readLastLines } from "./log-file.ts";
import { nodeArgs } from "./service-spec.ts";
import type { ServiceSpec } from "./service-spec.ts";

/** For `node --import`. The process needs an IPC channel. */
export const STOP_WITH_PARENT = fileURLToPath(
  new URL(`stop-with-parent${extname(import.meta.filename)}`, import.meta.url),
);

const RESTART_DELAY_MS = 100;
/** How often the size of a log is looked at. */
const LOG_CHECK_MS = 10_000;
/** A process that lived this long is healthy: its next death counts as a first one. */
const CALM_MS = 30_000;
/** Ends by its own fault, in a row, after which the end of the log is shown. */
const FAILURES_SHOWN = 3;
/** Ends by its own fault, in a row, after which it is not started again. */
const FAILURES_MAX = 8;
/** The same for exits of any kind, kills from outside included. */
const DEATHS_MAX = 50;
const LINES_SHOWN = 8;
/** The process's log is set aside at this size, in place of the one before. */
const LOG_BYTES_MAX = 16 * 1024 * 1024;

export interface SupervisedOptions {
  readonly spec: ServiceSpec;
  readonly say: (line: string) => void;
  /** Hears that the process keeps dying and is not started again. */
  readonly onGiveUp: (spec: ServiceSpec) => void;
  /** Longest wait before a start, in ms; the first is a tenth of a second. */
  readonly restartDelayMsMax: number;
  /** A stream that the process inherits, which tells that it lives. Null: none. */
  readonly hold: Stream | null;
  /** Hears every new process id. */
  readonly onStart: () => void;
}

/** How one life ended. */
interface End {
  readonly words: string;
  /** Ended from outside, by no fault of its own. */
  readonly isKilled: boolean;
}

/** A process that is started again whenever it dies, until it is stopped. */
export class SupervisedProcess {
  readonly spec: ServiceSpec;
  readonly #options: SupervisedOptions;
  readonly #stopping = new AbortController();
  #child: ChildProcess | null = null;
  #deaths = 0;
  #failures = 0;
  #startedMs = 0;
  #life: Promise<void>;

  constructor(options: SupervisedOptions) {
    this.spec = options.spec;
    this.#options = options;
    this.#life = this.#live();
  }

  /** Null between a death and the next start. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Asks it to end and forces it after `graceMs`. Resolves when it is gone. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    this.#child?.kill("SIGTERM");
    const timer = setTimeout(() => this.kill(), graceMs);
    await this.#life;
    clearTimeout(timer);
  }

  /** Ends it at once; it is not started again if it is being stopped. */
  kill(): void {
    this.#child?.kill("SIGKILL");
  }

  async #live(): Promise<void> {
    const { signal } = this.#stopping;
    const { restartDelayMsMax: delayMsMax } = this.#options;
    while (!signal.aborted) {
      const end = await this.#run();
      if (signal.aborted || !this.#takeNote(end)) return;
      const delayMs = Math.min(RESTART_DELAY_MS * 2 ** (this.#deaths - 1), delayMsMax);
      await sleep(delayMs, signal).catch(() => undefined);
    }
  }

  /** One life of the process. */
  #run(): Promise<End> {
    const { spec } = this;
    const { hold } = this.#options;
    limitLog(spec.logFile, LOG_BYTES_MAX);
    const log = openLog(spec.logFile);
    this.#startedMs = now();
    const child = spawn(process.execPath, nodeArgs(spec, ["--import", STOP_WITH_PARENT]), {
      stdio: ["ignore", log, log, "ipc", ...(hold === null ? [] : [hold])],
      env: { ...spec.env },
      // Ctrl+C goes to the launcher alone, which stops its services in order.
      detached: true,
    });
    closeSync(log);
    const watch = setInterval(() => limitLog(spec.logFile, LOG_BYTES_MAX), LOG_CHECK_MS).unref();
    this.#child = child;
    this.#options.onStart();
    return new Promise((resolve) => {
      const finish = (end: End): void => {
        clearInterval(watch);
        this.#child = null;
        resolve(end);
      };
      child.once("error", () => finish({ words: "could not be started", isKilled: false }));
      child.once("exit", (code, signal) => {
        const words = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
        finish({ words, isKilled: signal === "SIGKILL" || signal === "SIGTERM" });
      });
    });
  }

  /** @returns Whether it is to be started again. */
  #takeNote({ words, isKilled }: End): boolean {
    const { spec } = this;
    const wasCalm = now() - this.#startedMs > CALM_MS;
    this.#deaths = (wasCalm ? 0 : this.#deaths) + 1;
    this.#failures = (wasCalm ? 0 : this.#failures) + (isKilled ? 0 : 1);
    const isOver = this.#failures >= FAILURES_MAX || this.#deaths >= DEATHS_MAX;
    const next = isOver ? "it is not started again" : "starting it again";
    this.#options.say(`${spec.name} ${words}; ${next}.`);
    if (this.#failures === FAILURES_SHOWN || isOver) {
      for (const line of readLastLines(spec.logFile, LINES_SHOWN))
        this.#options.say(`  ${spec.name}| ${line}`);
    }
    if (isOver) this.#options.onGiveUp(spec);
    return !isOver;
  }
}
