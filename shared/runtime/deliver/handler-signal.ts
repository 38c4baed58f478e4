import { followSignals } from "#shared/clock";
import type { Following } from "#shared/clock";

/**
 * Aborts a handler on a lost lock, shutdown or timeout. Creates its signal on first use: a handler that returns at
 * once never needs it.
 */
export class HandlerSignal {
  private readonly sources: readonly AbortSignal[];
  private following: Following | undefined;

  constructor(sources: readonly AbortSignal[]) {
    this.sources = sources;
  }

  get signal(): AbortSignal {
    return this.follow().signal;
  }

  abort(reason: unknown): void {
    this.follow().abort(reason);
  }

  /** Rejects with the reason as soon as it is aborted. */
  whenAborted(): Promise<never> {
    const { signal } = this;
    return new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }

  release(): void {
    this.following?.letGo();
  }

  private follow(): Following {
    this.following ??= followSignals(this.sources);
    return this.following;
  }
}
