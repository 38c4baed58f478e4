import { whenAborted } from "#shared/clock";

/** Isolates suspected poison: one suspect at a time, and on its last attempt no other message at all. */
export class PoisonIsolation {
  private tail: Promise<void> = Promise.resolve();
  /** Closed while a message has, or waits for, the process to itself. */
  private gate: Promise<void> | null = null;
  private beside = 0;
  private onEmpty: (() => void) | null = null;

  /** Runs work beside others, once no message has the process to itself. */
  async runBesideOthers<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    while (this.gate !== null) {
      await this.gate;
      signal.throwIfAborted();
    }
    this.beside += 1;
    try {
      return await work();
    } finally {
      this.beside -= 1;
      if (this.beside === 0) this.onEmpty?.();
    }
  }

  /** Waits for its turn or the signal, then runs work. @param turn.isLastChance - Handles nothing else meanwhile. */
  async run<Result>(
    turn: { readonly signal: AbortSignal; readonly isLastChance: boolean },
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { promise: over, resolve: release } = Promise.withResolvers<void>();
    const before = this.tail;
    this.tail = over;
    try {
      await before;
      turn.signal.throwIfAborted();
      if (!turn.isLastChance) return await work();
      this.gate = over;
      await this.whenEmpty(turn.signal);
      return await work();
    } finally {
      if (this.gate === over) this.gate = null;
      release();
    }
  }

  private async whenEmpty(signal: AbortSignal): Promise<void> {
    if (this.beside === 0) return;
    const empty = Promise.withResolvers<void>();
    this.onEmpty = empty.resolve;
    try {
      await Promise.race([empty.promise, whenAborted(signal)]);
    } finally {
      this.onEmpty = null;
    }
  }
}
