import type { Logged, OutsideLine, SubmitLine } from "../logs.ts";
import type { FinalState, Observed } from "./observe.ts";
import type { Injected } from "../strikes/inject-faults.ts";
import type { TaskSource } from "../task.ts";

/** Input of the checker: logs from outside and the final state. Words of processes under test do not count. */
export interface Evidence {
  readonly source: TaskSource;
  readonly submitted: readonly Logged<SubmitLine>[];
  readonly outside: readonly Logged<OutsideLine>[];
  readonly final: FinalState;
  readonly injected: readonly Injected[];
  /** Observations of the state all along. */
  readonly observed: Observed;
  /** Writes of workers that had lost their lock, refused at the fence. */
  readonly fencedOff: number;
  /** Log lines of services that hold a canary. */
  readonly leaks: number;
  /** From the last fault to the last run's end, in ms; null when that did not come within the bound. */
  readonly drainMs: number | null;
  readonly drainBoundMs: number;
  /** A replica takes over: what nobody was told yet may be taken back. */
  readonly mayTakeBack: boolean;
}

/** Takes down what must not be, each under the figure that counts it. */
export class Findings {
  readonly #found: { readonly figure: string; readonly text: string }[] = [];

  add(figure: string, text: string): void {
    this.#found.push({ figure, text });
  }

  count(figure: string): number {
    return this.#found.filter((one) => one.figure === figure).length;
  }

  /** Lines for people, without those of figures that are only measured in this run. */
  lines(excused: readonly string[]): string[] {
    return this.#found
      .filter(({ figure }) => !excused.includes(figure))
      .map(({ figure, text }) => `${figure}: ${text}`);
  }
}
