import { now } from "#shared/clock";
import { LiveText } from "../print/live-text.ts";
import type { Snapshot } from "./snapshot.ts";

const PLAIN_EVERY_MS = 3000;
const BAR_CELLS = 40;

/** Prints the demo's progress. */
export class Progress {
  readonly #text = new LiveText(process.stdout, PLAIN_EVERY_MS);
  readonly #startedMs = now();

  get seconds(): number {
    return (now() - this.#startedMs) / 1000;
  }

  /** @param total - Tasks that the demo sends in all. */
  show({ stats, cases }: Snapshot, total: number): void {
    const { equation, waiting } = stats;
    const { submitted, completed, failed, expired, cancelled } = equation;
    const ended = completed + failed + expired + cancelled;
    const full = Math.min(BAR_CELLS, Math.round((ended / Math.max(1, total)) * BAR_CELLS));
    const seconds = Math.floor(this.seconds);
    const bar = `[${"#".repeat(full)}${"-".repeat(BAR_CELLS - full)}] ${ended} of ${total} ended`;
    const runs = `submitted ${submitted}, completed ${completed}, failed ${failed}, expired ${expired}, waiting ${equation.waiting}`;
    const inWard = cases.admitted + cases.in_surgery;
    const healed = cases.discharged + cases.released;
    const places = `queues ${waiting.queue}, retry ${waiting.retry}, ward ${inWard}, for a person ${cases.quarantined}, healed ${healed}`;
    this.#text.show(
      [`${String(seconds).padStart(4)} s ${bar}`, `       ${runs}`, `       ${places}`],
      `${seconds} s: ${runs}; ${places}`,
    );
  }

  /** Prints a line that stays. */
  say(line: string): void {
    this.#text.say(line);
  }
}
