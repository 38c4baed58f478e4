import type { ChildProcess } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  truncateSync,
} from "node:fs";
import type { Stream } from "node:stream";
import { now, sleep, whenAborted } from "#shared/clock";
import { saidByServicesSchema } from "#shared/runtime/service";
import { ServiceFailedError } from "../errors.ts";
import { spawnService } from "./spawn-service.ts";
import type { ServiceSpec } from "./spawn-service.ts";
import { dirname } from "node:path";

const TAIL_BYTES = 16_384;
const LINE_CHARS_MAX = 300;

/** The last lines of a log, each cut to a readable length; none where there is no log. */
function readLastLines(file: string, linesMax: number): string[] {
  if (!existsSync(file)) return [];
  const descriptor = openSync(file, "r");
  const { size } = fstatSync(descriptor);
  const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
  readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
  closeSync(descriptor);
  const lines = bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.slice(-linesMax).map((line) => line.slice(0, LINE_CHARS_MAX));
}

/**
 * Sets a log aside as `<file>.1` once it has grown beyond `bytesMax`; its process goes on appending. Lines between
 * copying and cutting are lost; a folder that cannot be written is tried again. @returns Whether it was set aside.
 */
export function limitLog(file: string, bytesMax: number): boolean {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= bytesMax) return false;
    copyFileSync(file, `${file}.1`);
    truncateSync(file, 0);
    return true;
  } catch {
    return false;
  }
}

/** Time beyond its grace period after which a service is killed, in ms. */
const FORCE_AFTER_GRACE_MS = 3000;
const RESTART_DELAY_MS = 100;
const RESTART_DELAY_MS_MAX = 5000;
/** Interval at which the size of a log is checked, in ms. */
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

export interface SupervisorOptions {
  /** Longest wait before a process is started again, in ms. Default 5,000. */
  readonly restartDelayMsMax?: number;
  /** Inherited by every process; see `PrivateRedis`. Default: none. */
  readonly hold?: Stream | null;
  readonly say: (line: string) => void;
  /** Called whenever a process was started or restarted. */
  readonly onChange?: () => void;
}

/** Starts, restarts with backoff and stops the services of one launcher. */
export class Supervisor {
  /** Rejects with a `ServiceFailedError` when a service keeps exiting. Never resolves. */
  readonly failed: Promise<never>;
  readonly #options: SupervisorOptions;
  readonly #processes = new Map<string, SupervisedProcess>();
  readonly #givenUp = new AbortController();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.failed = whenAborted(this.#givenUp.signal);
    // During the start the signal is used instead.
    this.failed.catch(() => undefined);
  }

  /** Aborted when a service keeps exiting. */
  get givenUp(): AbortSignal {
    return this.#givenUp.signal;
  }

  /** Starts a process, unless it was: services may share one. */
  start(spec: ServiceSpec): void {
    if (this.#processes.has(spec.name)) return;
    const onGiveUp = (problem: string) =>
      this.#givenUp.abort(new ServiceFailedError({ service: spec.name, problem, logFile: spec.logFile }));
    this.#processes.set(spec.name, new SupervisedProcess(spec, this.#options, onGiveUp));
  }

  /** True once a process has opened all its services: whoever answers at their addresses is it. */
  isOpen({ name }: ServiceSpec): boolean {
    return this.#processes.get(name)?.isOpen ?? false;
  }

  /** Names and process ids of what runs at this moment. */
  running(): { readonly name: string; readonly pid: number }[] {
    return [...this.#processes].flatMap(([name, { pid }]) => (pid === undefined ? [] : [{ name, pid }]));
  }

  /** Stops services in the order of `rounds`, then the rest. @param graceMs - Time to end; killed 3 s later. */
  async stop(rounds: readonly ((name: string) => boolean)[], graceMs: number): Promise<void> {
    const left = new Map(this.#processes);
    for (const isMeant of [...rounds, () => true]) {
      const round = [...left].filter(([name]) => isMeant(name));
      for (const [name] of round) left.delete(name);
      await Promise.all(round.map(([, process]) => process.stop(graceMs + FORCE_AFTER_GRACE_MS)));
    }
  }

  /** Ends everything at once. */
  kill(): void {
    for (const process of this.#processes.values()) {
      void process.stop(0);
      process.kill();
    }
  }
}

/** The end of one life; `isKilled`: from outside, by no fault of its own. */
interface End {
  readonly words: string;
  readonly isKilled: boolean;
}

/** A process that is started again whenever it dies, until it is stopped. */
class SupervisedProcess {
  readonly #spec: ServiceSpec;
  readonly #options: SupervisorOptions;
  readonly #onGiveUp: (problem: string) => void;
  readonly #stopping = new AbortController();
  #child: ChildProcess | null = null;
  #deaths = 0;
  #failures = 0;
  /** The reason that no other start would do better; null while none is known. */
  #hopeless: string | null = null;
  isOpen = false;
  readonly #life: Promise<void>;

  constructor(spec: ServiceSpec, options: SupervisorOptions, onGiveUp: (problem: string) => void) {
    this.#spec = spec;
    this.#options = options;
    this.#onGiveUp = onGiveUp;
    this.#life = this.#live();
  }

  /** Undefined between a death and the next start. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Asks it to end and forces it after `graceMs`. Resolves when it is gone. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    this.#child?.kill("SIGTERM");
    const timer = setTimeout(() => this.kill(), graceMs);
    await this.#life;
    clearTimeout(timer);
  }

  kill(): void {
    this.#child?.kill("SIGKILL");
  }

  async #live(): Promise<void> {
    const { signal } = this.#stopping;
    const { restartDelayMsMax: delayMsMax = RESTART_DELAY_MS_MAX } = this.#options;
    while (!signal.aborted) {
      const startedMs = now();
      const end = await this.#run();
      if (signal.aborted || !this.#takeNote(end, now() - startedMs > CALM_MS)) return;
      const delayMs = Math.min(RESTART_DELAY_MS * 2 ** (this.#deaths - 1), delayMsMax);
      await sleep(delayMs, signal).catch(() => undefined);
    }
  }

  /** One life of the process. */
  #run(): Promise<End> {
    const { logFile } = this.#spec;
    const { hold = null, onChange } = this.#options;
    limitLog(logFile, LOG_BYTES_MAX);
    mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
    const log = openSync(logFile, "a", 0o600);
    const child = spawnService(this.#spec, ["ignore", log, log, "ipc", ...(hold === null ? [] : [hold])]);
    closeSync(log);
    const watch = setInterval(() => limitLog(logFile, LOG_BYTES_MAX), LOG_CHECK_MS).unref();
    this.#child = child;
    child.on("message", (said) => {
      const { data } = saidByServicesSchema.safeParse(said);
      if (data?.isOpen === true) this.isOpen = true;
      else if (data !== undefined && !this.isOpen) this.#hopeless = data.problem;
    });
    // Deferred, so that the process is in the table first.
    queueMicrotask(() => onChange?.());
    return new Promise((resolve) => {
      const finish = (words: string, isKilled: boolean): void => {
        clearInterval(watch);
        this.#child = null;
        resolve({ words, isKilled });
      };
      child.once("error", () => finish("could not be started", false));
      child.once("exit", (code, signal) => {
        const words = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
        finish(words, signal === "SIGKILL" || signal === "SIGTERM");
      });
    });
  }

  /** @returns Whether it is to be started again. */
  #takeNote({ words, isKilled }: End, wasCalm: boolean): boolean {
    const { name, logFile } = this.#spec;
    const { say } = this.#options;
    this.#deaths = (wasCalm ? 0 : this.#deaths) + 1;
    this.#failures = (wasCalm ? 0 : this.#failures) + (isKilled ? 0 : 1);
    const isOver = this.#hopeless !== null || this.#failures >= FAILURES_MAX || this.#deaths >= DEATHS_MAX;
    say(`${name} ${words}; ${isOver ? "it is not started again" : "starting it again"}.`);
    if (this.#failures === FAILURES_SHOWN || (isOver && this.#hopeless === null))
      for (const line of readLastLines(logFile, LINES_SHOWN)) say(`  ${name}| ${line}`);
    if (isOver) this.#onGiveUp(this.#hopeless === null ? "keeps ending" : `cannot start: ${this.#hopeless}`);
    return !isOver;
  }
}
