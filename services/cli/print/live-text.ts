import { now } from "#shared/clock";

/** Redraws a block of lines on a terminal; elsewhere prints one plain line now and then. */
export class LiveText {
  readonly #out: NodeJS.WriteStream;
  readonly #plainEveryMs: number;
  #drawnLines = 0;
  #plainMs = now();
  #lastPlain = "";

  constructor(out: NodeJS.WriteStream, plainEveryMs: number) {
    this.#out = out;
    this.#plainEveryMs = plainEveryMs;
  }

  /** @param plain - The one line; printed when it has changed and the interval is over, or always where `isLast`. */
  show(lines: readonly string[], plain: string, isLast = false): void {
    if (this.#out.isTTY) {
      this.say(lines.join("\n"));
      this.#drawnLines = lines.length;
    } else if (isLast || (plain !== this.#lastPlain && now() - this.#plainMs >= this.#plainEveryMs)) {
      this.#plainMs = now();
      this.#lastPlain = plain;
      this.#out.write(`${plain}\n`);
    }
  }

  /** Prints a line that stays, in place of the block. */
  say(line: string): void {
    const back = this.#drawnLines === 0 ? "" : `\x1b[${this.#drawnLines}A\x1b[0J`;
    this.#drawnLines = 0;
    this.#out.write(`${back}${line}\n`);
  }
}
