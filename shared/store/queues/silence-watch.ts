/** What a look at one consumer sees. Times are in ms on one steady clock. */
export interface ConsumerLook {
  readonly atMs: number;
  /** Jobs that wait and could be taken now. */
  readonly fetchable: number;
  /** Whether it has room for another job and nobody holds it. */
  readonly isFree: boolean;
  /** When it last took a job. */
  readonly fetchedMs: number;
  /** When its engine last reported an error: who is refused is not silent. */
  readonly erredMs: number;
}

export type Verdict = "well" | "silent" | "given_up";

/** After each restart in vain the next is waited for twice as long, up to this many times `silentMs`. */
const PATIENCE_MAX = 8;
/**
 * A consumer that was well for this many times `silentMs` after its restart is healed. One that only took what waited
 * and fell silent again is not: a new engine's first fetch does not block, and gets through where the next one hangs.
 */
const HEALED_AFTER = 10;

/** Judges whether a consumer that says nothing is idle or dead. Pure but for what it remembers. */
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

  /** `silent`: start it anew. `given_up`: that was done often enough in a row and did not help. */
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
