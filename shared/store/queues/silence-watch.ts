/** Observed state of one consumer. Times are in ms on one monotonic clock. */
export interface ConsumerLook {
  readonly atMs: number;
  /** Jobs that could be taken now. */
  readonly fetchable: number;
  /** True if it has free capacity and is not held. */
  readonly isFree: boolean;
  /** When it last took a job. */
  readonly fetchedMs: number;
  /** Time of the last BullMQ error: a consumer that gets errors is not silent. */
  readonly erredMs: number;
}

export type Verdict = "well" | "silent" | "given_up";

/** After each failed restart the time to the next one doubles, up to this many times `silentMs`. */
const PATIENCE_MAX = 8;
/** A consumer has recovered after this many times `silentMs`: a new worker's first fetch does not block. */
const HEALED_AFTER = 10;

/** Decides whether a silent consumer is idle or dead. Pure, apart from its own state. */
export class SilenceWatch {
  private readonly silentMs: number;
  private readonly restartsMax: number;
  private restarts = 0;
  private sinceMs: number | null = null;
  private fetchedMs = -Infinity;
  private restartedMs = -Infinity;

  constructor(options: { readonly silentMs: number; readonly restartsMax: number }) {
    this.silentMs = options.silentMs;
    this.restartsMax = options.restartsMax;
  }

  /** `silent`: restart it. `given_up`: the maximum of consecutive restarts is reached. */
  judge(look: ConsumerLook): Verdict {
    if (look.fetchedMs > this.fetchedMs) {
      this.fetchedMs = look.fetchedMs;
      this.sinceMs = null;
    }
    if (look.atMs - this.restartedMs >= HEALED_AFTER * this.silentMs) this.restarts = 0;
    const isRefused = look.atMs - look.erredMs < this.silentMs;
    if (look.fetchable === 0 || !look.isFree || isRefused) {
      this.sinceMs = null;
      return "well";
    }
    this.sinceMs ??= look.atMs;
    const patienceMs = this.silentMs * Math.min(2 ** this.restarts, PATIENCE_MAX);
    if (look.atMs - this.sinceMs < patienceMs) return "well";
    this.sinceMs = null;
    if (this.restarts >= this.restartsMax) return "given_up";
    this.restarts += 1;
    this.restartedMs = look.atMs;
    return "silent";
  }
}
