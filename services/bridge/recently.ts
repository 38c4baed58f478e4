import { now } from "#shared/clock";

/**
 * Gives an answer that may be a little old, so that Redis is not asked for it with every message. Who asks while it is
 * being asked for shares the answer; one that failed is asked for again.
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
