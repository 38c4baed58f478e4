import { now } from "#shared/clock";

/**
 * Caches an answer for `ageMsMax`, so that not every message costs a call to Redis. Concurrent callers share one call;
 * a failed call is not cached.
 */
export function recently<Value>(ageMsMax: number, ask: () => Promise<Value>): () => Promise<Value> {
  let askedMs = -Infinity;
  let answer: Promise<Value> | null = null;
  return () => {
    const nowMs = now();
    // A clock that was set back makes no answer young for ever.
    if (answer !== null && nowMs - askedMs <= ageMsMax && nowMs >= askedMs) return answer;
    askedMs = nowMs;
    answer = ask();
    answer.catch(() => (answer = null));
    return answer;
  };
}
