/**
 * Gives the same answer for a while, and asks once for all who ask meanwhile: what many requests want to know costs
 * Redis one question. A failure is not remembered. The while is measured by a clock that only runs, so that a machine's
 * time that is set back prolongs nothing.
 */
export function remember<Value>(staleMsMax: number, ask: () => Promise<Value>): () => Promise<Value> {
  let answer: { readonly value: Promise<Value>; readonly untilMs: number } | null = null;
  return () => {
    if (answer !== null && performance.now() < answer.untilMs) return answer.value;
    const value = ask();
    const own = { value, untilMs: performance.now() + staleMsMax };
    answer = own;
    value.catch(() => {
      if (answer === own) answer = null;
    });
    return value;
  };
}
