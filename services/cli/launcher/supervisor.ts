import type { ServiceSpec } from "./service-spec.ts";
import { SupervisedProcess } from "./supervised-process.ts";

export interface SupervisorOptions {
  /** Longest wait before a process is started again, in ms. Default 5,000. */
  readonly restartDelayMsMax?: number;
  /** See `SupervisedOptions`. */
  readonly logBytesMax?: number;
  readonly say: (line: string) => void;
  /** Called for a service that keeps exiting. */
  readonly onGiveUp: (spec: ServiceSpec) => void;
  /** Called whenever a process was started or restarted. */
  readonly onChange: () => void;
}

/** Starts, restarts with backoff and stops the services of one launcher. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #processes = new Map<string, SupervisedProcess>();

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  start(spec: ServiceSpec): void {
    const { say, onGiveUp, onChange, restartDelayMsMax, logBytesMax } = this.#options;
    const delay = restartDelayMsMax === undefined ? {} : { restartDelayMsMax };
    const bound = logBytesMax === undefined ? {} : { logBytesMax };
    // The process is in the table before it says that it has started.
    const onStart = (): void => queueMicrotask(onChange);
    this.#processes.set(
      spec.name,
      new SupervisedProcess({ spec, say, onGiveUp, onStart, ...delay, ...bound }),
    );
  }

  /** Names and process ids of what runs at this moment. */
  running(): { readonly name: string; readonly pid: number }[] {
    return [...this.#processes].flatMap(([name, { pid }]) => (pid === null ? [] : [{ name, pid }]));
  }

  /** Stops the services in the order of `rounds`; those of one round together, what no round names last. */
  async stop(rounds: readonly ((name: string) => boolean)[], graceMs: number): Promise<void> {
    const left = new Map(this.#processes);
    for (const isMeant of [...rounds, () => true]) {
      const round = [...left].filter(([name]) => isMeant(name));
      for (const [name] of round) left.delete(name);
      await Promise.all(round.map(([, process]) => process.stop(graceMs)));
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
