import { now } from "#shared/clock";

/**
 * Caches the answer of `ask` for `ageMsMax`, which saves a Redis call a message. Concurrent callers share one call; a
 * failed call is not cached.
 */
export function cached<Value>(ageMsMax: number, ask: () => Promise<Value>): () => Promise<Value> {
  let askedMs = -Infinity;
  let answer: Promise<Value> | null = null;
  return () => {
    const nowMs = now();
    // A clock that was set back would otherwise keep an answer valid too long.
    if (answer !== null && nowMs - askedMs <= ageMsMax && nowMs >= askedMs) return answer;
    askedMs = nowMs;
    answer = ask();
    answer.catch(() => (answer = null));
    return answer;
  };
}
