/** How often the same question was asked. */
export interface AttemptCount {
  readonly attempt: number;
  readonly reask: number;
}

/** Counts questions by key, for the `keysMax` most recent keys. */
export function createAttemptCounter(keysMax = 50_000): (key: string, isReask: boolean) => AttemptCount {
  const counts = new Map<string, AttemptCount>();
  return (key, isReask) => {
    const before = counts.get(key) ?? { attempt: isReask ? 1 : 0, reask: 0 };
    const count = isReask
      ? { attempt: before.attempt, reask: before.reask + 1 }
      : { attempt: before.attempt + 1, reask: 0 };
    // Deleting first moves the key to the end, so that the first key is always the one asked longest ago.
    counts.delete(key);
    counts.set(key, count);
    const [oldest] = counts.keys();
    if (counts.size > keysMax && oldest !== undefined) counts.delete(oldest);
    return count;
  };
}
