import { now } from "#shared/clock";

type EndedBy = "caller" | "time" | "silence" | "closing";

/** One signal for the caller's wish, the time limit and the client's end. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** The first cause that ended the call. Null while it is running. */
  readonly endedBy: EndedBy | null;
  /** The longest time of the whole call that holds now, in milliseconds. */
  readonly timeoutMs: number;
  /** The longest silence of a streamed answer, in milliseconds. Undefined before its first word. */
  readonly silentMs: number | undefined;
  /** Says that a streamed answer goes on: from now on the limits of streams hold. */
  heard(limits: StreamLimits): void;
  /** Takes timers and listeners away; to be called when the call is over. */
  stop(): void;
}

interface StreamLimits {
  /** From the start of the call to the end of its answer. */
  readonly wholeMs: number;
  /** From one word to the next. */
  readonly silentMs: number;
}

interface TimeLimitOptions {
  readonly caller: AbortSignal;
  readonly closing: AbortSignal;
  readonly timeoutMs: number;
}

/** The longest delay a timer takes; Node fires at once beyond it. */
const TIMEOUT_MS_MAX = 2_147_483_647;

function startTimer(end: () => void, ms: number): NodeJS.Timeout {
  return setTimeout(end, Math.min(TIMEOUT_MS_MAX, Math.max(1, ms)));
}

/** Starts the clock. */
export function startTimeLimit({ caller, closing, timeoutMs }: TimeLimitOptions): TimeLimit {
  const controller = new AbortController();
  const ended = new AbortController();
  const startedMs = now();
  const end = (by: EndedBy): void => {
    limit.endedBy ??= by;
    controller.abort();
  };
  let timer = startTimer(() => end("time"), timeoutMs);
  let silence: NodeJS.Timeout | undefined;
  const limit: { -readonly [Field in keyof TimeLimit]: TimeLimit[Field] } = {
    signal: controller.signal,
    endedBy: null,
    timeoutMs,
    silentMs: undefined,
    heard({ wholeMs, silentMs }) {
      if (limit.endedBy !== null) return;
      if (silence !== undefined) return void silence.refresh();
      clearTimeout(timer);
      limit.timeoutMs = Math.max(wholeMs, timeoutMs);
      limit.silentMs = silentMs;
      timer = startTimer(() => end("time"), limit.timeoutMs - (now() - startedMs));
      silence = startTimer(() => end("silence"), silentMs);
    },
    stop() {
      clearTimeout(timer);
      clearTimeout(silence);
      ended.abort();
    },
  };
  // Listeners go with the call: a signal that lives as long as the process would collect them.
  caller.addEventListener("abort", () => end("caller"), { once: true, signal: ended.signal });
  closing.addEventListener("abort", () => end("closing"), { once: true, signal: ended.signal });
  if (caller.aborted) end("caller");
  if (closing.aborted) end("closing");
  // A limit of nothing is over at once, rather than in a race with a fast answer.
  if (timeoutMs <= 0) end("time");
  return limit;
}
