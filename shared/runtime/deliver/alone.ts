/**
 * One at a time. A message whose last worker died is handled while no other such message is: if it brings this process
 * down too, it is known by that, and those that merely stood beside it are not taken for killers. One that has its last
 * chance is handled while no other message is at all, for among the fresh ones there may be a killer too.
 */
export class Alone {
  private tail: Promise<void> = Promise.resolve();
  /** Held shut while somebody has, or waits for, the process to itself. */
  private gate: Promise<void> | null = null;
  private beside = 0;
  private onEmpty: (() => void) | null = null;

  /** Works beside others, once nobody has the process to itself. */
  async besides<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
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

  /**
   * Waits for its turn, then works. A turn that is aborted before it begins throws the signal's reason.
   *
   * @param turn.isLastChance - Nothing else is handled meanwhile.
   */
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
    const abort = (): void => empty.reject(signal.reason);
    this.onEmpty = empty.resolve;
    signal.addEventListener("abort", abort, { once: true });
    try {
      await empty.promise;
    } finally {
      this.onEmpty = null;
      signal.removeEventListener("abort", abort);
    }
  }
}
