/** Places for calls in flight. Those who find none wait their turn, first come, first served. */
export interface Slots {
  /** Waits for a free place, and returns what gives it back. Rejects with the signal's reason once that is aborted. */
  take(signal: AbortSignal): Promise<() => void>;
}

/** @param slotsMax - Places, at least 1. */
export function createSlots(slotsMax: number): Slots {
  let free = Math.max(1, slotsMax);
  // A set keeps the order of arrival and lets the one that gives up leave without a search.
  const waiting = new Set<() => void>();

  /** What gives a place back, once. */
  const placed = (): (() => void) => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = waiting;
      if (next === undefined) free += 1;
      else next();
    };
  };

  return {
    async take(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return placed();
      }
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          waiting.delete(onFree);
          reject(signal.reason);
        };
        const onFree = (): void => {
          waiting.delete(onFree);
          signal.removeEventListener("abort", onAbort);
          resolve(placed());
        };
        waiting.add(onFree);
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
  };
}
