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

  const giveBack = (): void => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };

  return {
    take: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (free > 0) {
          free -= 1;
          return resolve(once(giveBack));
        }
        const onAbort = (): void => {
          waiting.delete(onFree);
          reject(signal.reason);
        };
        const onFree = (): void => {
          waiting.delete(onFree);
          signal.removeEventListener("abort", onAbort);
          resolve(once(giveBack));
        };
        waiting.add(onFree);
        signal.addEventListener("abort", onAbort, { once: true });
      }),
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
