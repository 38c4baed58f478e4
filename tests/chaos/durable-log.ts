import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";

/** An append-only log of JSON lines that is on the disk when `write` returns. It lies outside the Redis under test. */
export class DurableLog<Line extends object> {
  private readonly file: number;

  constructor(path: string) {
    this.file = openSync(path, "a", 0o600);
  }

  /** Adds the line with the time, in ms since the epoch. */
  write(line: Line): void {
    writeSync(this.file, `${JSON.stringify({ at_ms: Date.now(), ...line })}\n`);
    fsyncSync(this.file);
  }

  close(): void {
    closeSync(this.file);
  }
}

export type Logged<Line extends object> = Line & { readonly at_ms: number };

/** Every whole line of a log; a last one without its end was never promised to anybody. */
export function readLog<Line extends object>(path: string): Logged<Line>[] {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  // Written by `write` above, in the form that the caller names.
  return lines.map((line) => JSON.parse(line) as Logged<Line>);
}
