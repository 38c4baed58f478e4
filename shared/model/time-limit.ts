/** Why a call was ended before its answer was complete. */
type EndedBy = "caller" | "time" | "closing";

/** One signal for the caller's wish, the time limit and the client's end. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Who ended the call first; null while nobody did. */
  readonly endedBy: EndedBy | null;
  /** Takes timer and listeners away; to be called when the call is over. */
  stop(): void;
}

export interface TimeLimitOptions {
  readonly caller: AbortSignal;
  readonly closing: AbortSignal;
  readonly timeoutMs: number;
}

/** The longest delay a timer takes; Node fires at once beyond it. */
const TIMEOUT_MS_MAX = 2_147_483_647;

/** Starts the clock. Listeners are removed by hand: a signal that lives as long as the process would collect them. */
export function startTimeLimit(options: TimeLimitOptions): TimeLimit {
  const controller = new AbortController();
  let endedBy: EndedBy | null = null;
  const end = (by: EndedBy): void => {
    endedBy ??= by;
    controller.abort();
  };
  const onCaller = (): void => end("caller");
  const onClosing = (): void => end("closing");
  const timer = setTimeout(() => end("time"), Math.min(TIMEOUT_MS_MAX, Math.max(1, options.timeoutMs)));
  options.caller.addEventListener("abort", onCaller, { once: true });
  options.closing.addEventListener("abort", onClosing, { once: true });
  if (options.caller.aborted) end("caller");
  if (options.closing.aborted) end("closing");
  // A limit of nothing is over at once, rather than in a race with a fast answer.
  if (options.timeoutMs <= 0) end("time");
  return {
    signal: controller.signal,
    get endedBy() {
      return endedBy;
    },
    stop() {
      clearTimeout(timer);
      options.caller.removeEventListener("abort", onCaller);
      options.closing.removeEventListener("abort", onClosing);
    },
  };
}
