import type { Stream } from "node:stream";
import { ServiceFailedError } from "../errors.ts";
import type { ServiceSpec } from "./service-spec.ts";
import { SupervisedProcess } from "./supervised-process.ts";

/** Time beyond its grace period after which a service is killed, in ms. */
const FORCE_AFTER_GRACE_MS = 3000;
const RESTART_DELAY_MS_MAX = 5000;

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
    this.failed = new Promise((_, reject) => {
      const { signal } = this.#givenUp;
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    // During the start the signal is used instead.
    this.failed.catch(() => undefined);
  }

  /** Aborted when a service keeps exiting. */
  get givenUp(): AbortSignal {
    return this.#givenUp.signal;
  }

  has(name: string): boolean {
    return this.#processes.has(name);
  }

  start(spec: ServiceSpec): void {
    const { say, onChange, restartDelayMsMax, hold = null } = this.#options;
    this.#processes.set(
      spec.name,
      new SupervisedProcess({
        spec,
        say,
        hold,
        restartDelayMsMax: restartDelayMsMax ?? RESTART_DELAY_MS_MAX,
        onGiveUp: ({ name, logFile }) =>
          this.#givenUp.abort(new ServiceFailedError({ service: name, problem: "keeps ending", logFile })),
        // Deferred, so that the process is in the table first.
        onStart: () => queueMicrotask(() => onChange?.()),
      }),
    );
  }

  /** Names and process ids of what runs at this moment. */
  running(): { readonly name: string; readonly pid: number }[] {
    return [...this.#processes].flatMap(([name, { pid }]) => (pid === null ? [] : [{ name, pid }]));
  }

  /**
   * Stops the services in the order of `rounds`; those of one round together, what no round names last.
   *
   * @param graceMs - Time a service gets to end; it is killed three seconds later.
   */
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
