/** Runs work within a time limit; work that ignores its signal is abandoned. */
export async function withinTime<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  limit: {
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
    readonly toError: () => Error;
  },
): Promise<Value> {
  const { promise: cut, reject } = Promise.withResolvers<never>();
  // Awaited by the race below, if at all.
  cut.catch(() => undefined);
  const overtime = new AbortController();
  const timer = setTimeout(() => overtime.abort(limit.toError()), limit.timeoutMs);
  const both = AbortSignal.any([limit.signal, overtime.signal]);
  const onAbort = (): void => reject(both.reason);
  both.addEventListener("abort", onAbort, { once: true });
  try {
    const pending = work(both);
    pending.catch(() => undefined);
    return await Promise.race([pending, cut]);
  } finally {
    clearTimeout(timer);
    both.removeEventListener("abort", onAbort);
  }
}
