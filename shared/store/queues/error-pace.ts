/** What to do about one error of an engine that may come thousands of times in a second. */
export interface PacedError {
  /** How long nothing is to be fetched, in ms; 0: go on. */
  readonly holdMs: number;
  /** Whether to tell it. At most one of a kind in `TELL_EVERY_MS` is told. */
  readonly isTold: boolean;
  /** Errors of this kind that were not told since the last one that was. */
  readonly untold: number;
}

/** Errors within a second that are taken for accidents. */
const BURST = 5;
const BURST_MS = 1000;
const HOLD_MS_MIN = 250;
const HOLD_MS_MAX = 5000;
const TELL_EVERY_MS = 10_000;
/** Kinds told apart; a server that makes up words must not fill the memory. */
const KINDS_MAX = 50;

/**
 * Keeps an engine from spinning on a Redis that refuses it (out of memory, disk full, read-only, no permission): a few
 * errors in a second are let pass, from then on each is followed by a pause that doubles, up to 5 s, until something
 * was fetched again. Times are in ms on any one clock.
 */
export class ErrorPace {
  private since = -Infinity;
  private count = 0;
  private holds = 0;
  private readonly told = new Map<string, { atMs: number; untold: number }>();

  next(error: Error, atMs: number): PacedError {
    if (atMs - this.since > BURST_MS) {
      this.since = atMs;
      this.count = 0;
    }
    this.count += 1;
    const isSpinning = this.holds > 0 || this.count > BURST;
    const holdMs = isSpinning ? Math.min(HOLD_MS_MIN * 2 ** this.holds, HOLD_MS_MAX) : 0;
    if (isSpinning) this.holds = Math.min(this.holds + 1, 10);
    return { holdMs, ...this.tell(kindOf(error), atMs) };
  }

  /** Something was fetched: what was wrong is over. */
  succeeded(): void {
    this.holds = 0;
    this.count = 0;
  }

  private tell(kind: string, atMs: number): Pick<PacedError, "isTold" | "untold"> {
    const last = this.told.get(kind);
    if (last !== undefined && atMs - last.atMs < TELL_EVERY_MS) {
      last.untold += 1;
      return { isTold: false, untold: last.untold };
    }
    if (last === undefined && this.told.size >= KINDS_MAX) this.told.clear();
    this.told.set(kind, { atMs, untold: 0 });
    return { isTold: true, untold: last?.untold ?? 0 };
  }
}

/** The error's code, or the word a reply of Redis begins with, which is its protocol's code. */
function kindOf(error: Error): string {
  if ("code" in error) return String(error.code);
  return `${error.name} ${/^[A-Z]{2,}\b/.exec(error.message)?.[0] ?? ""}`;
}
