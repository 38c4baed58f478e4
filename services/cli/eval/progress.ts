import { now } from "#shared/clock";
import { isRight } from "./cases/trial.ts";
import type { Trial } from "./cases/trial.ts";

const PLAIN_EVERY_MS = 5000;

/** Shows how a measurement goes on: one line that is written again on a terminal, a line now and then elsewhere. */
export class Progress {
  readonly #out: NodeJS.WriteStream;
  readonly #planned: number;
  #done = 0;
  #right = 0;
  #failed = 0;
  #cost = 0;
  #plainMs = now();

  constructor(out: NodeJS.WriteStream, planned: number) {
    this.#out = out;
    this.#planned = planned;
  }

  add(trial: Trial): void {
    this.#done += 1;
    this.#right += isRight(trial) ? 1 : 0;
    this.#failed += trial.failure === null ? 0 : 1;
    this.#cost += trial.cost;
    const line = `${this.#done} of ${this.#planned} runs, ${this.#right} right, ${this.#failed} failed, ${this.#cost.toFixed(4)} USD`;
    if (this.#out.isTTY) this.#out.write(`\r\x1b[0K${line}`);
    else if (now() - this.#plainMs >= PLAIN_EVERY_MS || this.#done === this.#planned) {
      this.#plainMs = now();
      this.#out.write(`${line}\n`);
    }
  }

  /** Leaves the line as it is. */
  end(): void {
    if (this.#out.isTTY && this.#done > 0) this.#out.write("\n");
  }
}
