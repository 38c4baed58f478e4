/** Reaction to an error that may repeat thousands of times per second. */
export interface ThrottledError {
  /** Pause before the next fetch, in ms; 0: none. */
  readonly holdMs: number;
  /** True to report it. At most one error of a kind is reported in `REPORT_EVERY_MS`. */
  readonly isReported: boolean;
  /** Errors of this kind suppressed since the last report. */
  readonly suppressed: number;
}

/** Errors within a second that cause no pause. */
const BURST = 5;
const BURST_MS = 1000;
const HOLD_MS_MIN = 250;
const HOLD_MS_MAX = 5000;
const REPORT_EVERY_MS = 10_000;
/** Maximum number of error kinds, so that a server with random messages cannot fill the memory. */
const KINDS_MAX = 50;

/** Backs off from a Redis that refuses: after a few errors a second, each pauses twice as long, up to 5 s. */
export class ErrorThrottle {
  private since = -Infinity;
  private count = 0;
  private holds = 0;
  private readonly reported = new Map<string, { atMs: number; suppressed: number }>();

  next(error: Error, atMs: number): ThrottledError {
    if (atMs - this.since > BURST_MS) {
      this.since = atMs;
      this.count = 0;
    }
    this.count += 1;
    const isSpinning = this.holds > 0 || this.count > BURST;
    const holdMs = isSpinning ? Math.min(HOLD_MS_MIN * 2 ** this.holds, HOLD_MS_MAX) : 0;
    if (isSpinning) this.holds = Math.min(this.holds + 1, 10);
    return { holdMs, ...this.report(kindOf(error), atMs) };
  }

  /** Resets the backoff after a successful fetch. */
  succeeded(): void {
    this.holds = 0;
    this.count = 0;
  }

  private report(kind: string, atMs: number): Pick<ThrottledError, "isReported" | "suppressed"> {
    const last = this.reported.get(kind);
    if (last !== undefined && atMs - last.atMs < REPORT_EVERY_MS) {
      last.suppressed += 1;
      return { isReported: false, suppressed: last.suppressed };
    }
    if (last === undefined && this.reported.size >= KINDS_MAX) this.reported.clear();
    this.reported.set(kind, { atMs, suppressed: 0 });
    return { isReported: true, suppressed: last?.suppressed ?? 0 };
  }
}

/** Returns the error's code, or the first word of a Redis error reply, which is its code. */
function kindOf(error: Error): string {
  if ("code" in error) return String(error.code);
  return `${error.name} ${/^[A-Z]{2,}\b/.exec(error.message)?.[0] ?? ""}`;
}
