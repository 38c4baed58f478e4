import { now } from "#shared/clock";
import type { Snapshot } from "./snapshot.ts";

const PLAIN_EVERY_MS = 3000;
const BAR_CELLS = 40;

/** Prints the demo's progress: one block that is redrawn on a terminal, plain lines elsewhere. */
export class Progress {
  readonly #out: NodeJS.WriteStream;
  readonly #startedMs = now();
  #drawnLines = 0;
  #plainMs = 0;
  #lastPlain = "";

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  get seconds(): number {
    return (now() - this.#startedMs) / 1000;
  }

  /** @param total - Tasks that the demo sends in all. */
  show(look: Snapshot, total: number): void {
    const lines = describe(look, total);
    if (this.#out.isTTY) this.#draw(lines);
    else this.#writePlain(lines);
  }

  /** Prints a line that stays. */
  say(line: string): void {
    this.#clear();
    this.#out.write(`${line}\n`);
  }

  #draw(lines: readonly string[]): void {
    this.#clear();
    const [bar, ...rest] = lines;
    this.#out.write(
      [`${String(Math.floor(this.seconds)).padStart(4)} s ${bar ?? ""}`, ...rest]
        .map((line) => `${line}\n`)
        .join(""),
    );
    this.#drawnLines = lines.length;
  }

  #clear(): void {
    if (this.#drawnLines > 0) this.#out.write(`\x1b[${this.#drawnLines}A\x1b[0J`);
    this.#drawnLines = 0;
  }

  #writePlain(lines: readonly string[]): void {
    const text = lines
      .slice(1)
      .map((line) => line.trim())
      .join("; ");
    if (text === this.#lastPlain || now() - this.#plainMs < PLAIN_EVERY_MS) return;
    this.#plainMs = now();
    this.#lastPlain = text;
    this.#out.write(`${Math.floor(this.seconds)} s: ${text}\n`);
  }
}

function describe({ stats, cases }: Snapshot, total: number): string[] {
  const { equation, waiting } = stats;
  const { submitted, completed, failed, expired, cancelled } = equation;
  const ended = completed + failed + expired + cancelled;
  const full = Math.min(BAR_CELLS, Math.round((ended / Math.max(1, total)) * BAR_CELLS));
  const inWard = cases.admitted + cases.in_surgery;
  const healed = cases.discharged + cases.released;
  const runs = `submitted ${submitted}, completed ${completed}, failed ${failed}, expired ${expired}`;
  const places = `queues ${waiting.queue}, retry ${waiting.retry}, ward ${inWard}`;
  return [
    `[${"#".repeat(full)}${"-".repeat(BAR_CELLS - full)}] ${ended} of ${total} ended`,
    `       ${runs}, waiting ${equation.waiting}`,
    `       ${places}, for a person ${cases.quarantined}, healed ${healed}`,
  ];
}
