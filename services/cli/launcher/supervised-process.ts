import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { now, sleep } from "#shared/clock";
import { openLog, readLastLines } from "./log-file.ts";
import type { ServiceSpec } from "./service-spec.ts";

const STOP_WITH_PARENT = fileURLToPath(new URL("stop-with-parent.ts", import.meta.url));

const RESTART_DELAY_MS = 100;
const RESTART_DELAY_MS_MAX = 5000;
/** A process that lived this long is healthy: its next death counts as a first one. */
const CALM_MS = 30_000;
/** Deaths in a row after which the end of the log is shown. */
const DEATHS_SHOWN = 3;
/** Deaths in a row after which it is not started again. */
const DEATHS_MAX = 8;
const LINES_SHOWN = 8;

export interface SupervisedOptions {
  readonly spec: ServiceSpec;
  readonly say: (line: string) => void;
  /** Hears that the process keeps dying and is not started again. */
  readonly onGiveUp: (spec: ServiceSpec) => void;
  /** Hears every new process id. */
  readonly onStart: () => void;
}

/** A process that is started again whenever it dies, until it is stopped. */
export class SupervisedProcess {
  readonly spec: ServiceSpec;
  readonly #options: SupervisedOptions;
  readonly #stopping = new AbortController();
  #child: ChildProcess | null = null;
  #deaths = 0;
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
    while (!signal.aborted) {
      const end = await this.#run();
      if (signal.aborted) return;
      if (!this.#takeNote(end)) return;
      const delayMs = Math.min(RESTART_DELAY_MS * 2 ** (this.#deaths - 1), RESTART_DELAY_MS_MAX);
      await sleep(delayMs, signal).catch(() => undefined);
    }
  }

  /** One life of the process. @returns How it ended, in words. */
  #run(): Promise<string> {
    const { spec } = this;
    const log = openLog(spec.logFile);
    this.#startedMs = now();
    const child = spawn(process.execPath, ["--import", STOP_WITH_PARENT, spec.script, ...spec.args], {
      stdio: ["ignore", log, log, "ipc"],
      env: { ...spec.env },
      // Ctrl+C goes to the launcher alone, which stops its services in order.
      detached: true,
    });
    closeSync(log);
    this.#child = child;
    this.#options.onStart();
    return new Promise((resolve) => {
      const finish = (words: string): void => {
        this.#child = null;
        resolve(words);
      };
      child.once("error", () => finish("could not be started"));
      child.once("exit", (code, signal) =>
        finish(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
      );
    });
  }

  /** @returns Whether it is to be started again. */
  #takeNote(end: string): boolean {
    const { spec } = this;
    this.#deaths = now() - this.#startedMs > CALM_MS ? 1 : this.#deaths + 1;
    const isOver = this.#deaths >= DEATHS_MAX;
    const next = isOver ? "it is not started again" : "starting it again";
    this.#options.say(`${spec.name} ${end}; ${next}.`);
    if (this.#deaths === DEATHS_SHOWN || isOver) {
      for (const line of readLastLines(spec.logFile, LINES_SHOWN))
        this.#options.say(`  ${spec.name}| ${line}`);
    }
    if (isOver) this.#options.onGiveUp(spec);
    return !isOver;
  }
}
