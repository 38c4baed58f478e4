import { followSignals } from "#shared/clock";
import type { Following } from "#shared/clock";

/**
 * What ends a handler before it ends by itself: a lost lock, the end of the process, overtime. Its signal is made for
 * those who ask for it; a handler that answers at once never does.
 */
export class Lifeline {
  private readonly sources: readonly AbortSignal[];
  private following: Following | undefined;

  constructor(sources: readonly AbortSignal[]) {
    this.sources = sources;
  }

  get signal(): AbortSignal {
    return this.follow().signal;
  }

  cut(reason: unknown): void {
    this.follow().abort(reason);
  }

  /** Rejects with the reason as soon as it is cut. */
  whenCut(): Promise<never> {
    const { signal } = this;
    return new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }

  letGo(): void {
    this.following?.letGo();
  }

  private follow(): Following {
    this.following ??= followSignals(this.sources);
    return this.following;
  }
}
