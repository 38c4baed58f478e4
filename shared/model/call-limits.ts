/** Why a call was ended before its answer was complete. */
type EndedBy = "caller" | "time" | "closing";

/** One signal for the caller's wish, the time limit and the client's end. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Who ended the call first; null while nobody did. */
  readonly endedBy: EndedBy | null;
  /** The longest time of the whole call, in milliseconds. */
  readonly timeoutMs: number;
  /** Takes timers and listeners away; to be called when the call is over. */
  stop(): void;
}

interface TimeLimitOptions {
  readonly caller: AbortSignal;
  readonly closing: AbortSignal;
  readonly timeoutMs: number;
}

/** The longest delay a timer takes; Node fires at once beyond it. */
const TIMEOUT_MS_MAX = 2_147_483_647;

/** Starts the clock. */
export function startTimeLimit({ caller, closing, timeoutMs }: TimeLimitOptions): TimeLimit {
  const controller = new AbortController();
  const ended = new AbortController();
  let endedBy: EndedBy | null = null;
  const end = (by: EndedBy): void => {
    endedBy ??= by;
    controller.abort();
  };
  const timer = setTimeout(() => end("time"), Math.min(TIMEOUT_MS_MAX, Math.max(1, timeoutMs)));
  // Listeners go with the call: a signal that lives as long as the process would collect them.
  caller.addEventListener("abort", () => end("caller"), { once: true, signal: ended.signal });
  closing.addEventListener("abort", () => end("closing"), { once: true, signal: ended.signal });
  if (caller.aborted) end("caller");
  if (closing.aborted) end("closing");
  // A limit of nothing is over at once, rather than in a race with a fast answer.
  if (timeoutMs <= 0) end("time");
  return {
    signal: controller.signal,
    get endedBy() {
      return endedBy;
    },
    timeoutMs,
    stop() {
      clearTimeout(timer);
      ended.abort();
    },
  };
}

/** Places for calls in flight. Those who find none wait their turn, first come, first served. */
interface Slots {
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
