import { LiveText } from "../print/live-text.ts";
import { isRight } from "./cases/trial.ts";
import type { Trial } from "./cases/trial.ts";

const PLAIN_EVERY_MS = 5000;

/** Prints how far a measurement is, on standard error. */
export class Progress {
  readonly #text = new LiveText(process.stderr, PLAIN_EVERY_MS);
  readonly #planned: number;
  readonly #done: Trial[] = [];

  constructor(planned: number) {
    this.#planned = planned;
  }

  add(trial: Trial): void {
    this.#done.push(trial);
    const right = this.#done.filter((one) => isRight(one)).length;
    const failed = this.#done.filter(({ failure }) => failure !== null).length;
    const cost = this.#done.reduce((sum, one) => sum + one.cost, 0);
    const { length } = this.#done;
    const line = `${length} of ${this.#planned} runs, ${right} right, ${failed} failed, ${cost.toFixed(4)} USD`;
    this.#text.show([line], line, length === this.#planned);
  }
}
