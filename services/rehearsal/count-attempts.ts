/** Counts repetitions of a question. */
export interface AttemptCount {
  readonly attempt: number;
  readonly reask: number;
}

/** Counts by key, for the `keysMax` most recently used keys (LRU). */
export function createAttemptCounter(keysMax = 50_000): (key: string, isReask: boolean) => AttemptCount {
  const counts = new Map<string, AttemptCount>();
  return (key, isReask) => {
    const before = counts.get(key) ?? { attempt: isReask ? 1 : 0, reask: 0 };
    const count = isReask
      ? { attempt: before.attempt, reask: before.reask + 1 }
      : { attempt: before.attempt + 1, reask: 0 };
    // Reinserting moves the key to the end, so the first key is the least recently used.
    counts.delete(key);
    counts.set(key, count);
    const [oldest] = counts.keys();
    if (counts.size > keysMax && oldest !== undefined) counts.delete(oldest);
    return count;
  };
}
