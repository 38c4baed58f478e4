import { now } from "#shared/clock";

/** The effect of Ctrl+C and of a supervisor's SIGTERM on a command that keeps things running. */
export interface StopSignals {
  /** Aborted at the first signal. */
  readonly signal: AbortSignal;
  /** Stops listening: from then on a signal ends the process as usual. */
  readonly release: () => void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Signals closer together than this are one, in ms: npm repeats Ctrl+C, and a closing terminal sends several. */
const ONE_SIGNAL_MS = 500;

/** Interval of the checks whether the parent is alive, in ms. */
const PARENT_CHECK_MS = 1000;

/** The handler of each running command for a closed output. */
const listeners = new Set<(reason: string) => void>();

/**
 * The first signal asks for a clean stop; a second one, half a second or more later, calls `onSecond`, which is to end
 * everything at once. A closed terminal, and the death of the npm that started this process, ask for a clean stop too.
 */
export function listenForStop(onSecond: () => void): StopSignals {
  const stopping = new AbortController();
  let lastMs = -Infinity;
  const stop = (reason: string): void => {
    if (!stopping.signal.aborted) stopping.abort(new StopAskedFor(reason));
  };
  const hear = (name: NodeJS.Signals): void => {
    const isSame = now() - lastMs < ONE_SIGNAL_MS;
    lastMs = now();
    if (stopping.signal.aborted && !isSame) onSecond();
    else stop(name);
  };
  for (const name of SIGNALS) process.on(name, hear);
  listeners.add(stop);
  const forgetParent = watchNpm(() => stop("the end of npm"));
  return {
    signal: stopping.signal,
    release: () => {
      for (const name of SIGNALS) process.off(name, hear);
      listeners.delete(stop);
      forgetParent();
    },
  };
}

/** Ends a command whose output is no longer read, as in `suture runs ls | head`; one that can stop stops cleanly. */
export function endOnClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", ({ code }: NodeJS.ErrnoException) => {
      if (listeners.size === 0) process.exit(code === "EPIPE" ? 0 : 1);
      for (const stop of listeners) stop("a closed output");
    });
}

/** A killed npm passes no signal on, and leaves this process without a terminal that could stop it. */
function watchNpm(onEnd: () => void): () => void {
  if (process.env["npm_lifecycle_event"] === undefined) return () => undefined;
  const { ppid } = process;
  const timer = setInterval(() => {
    if (process.ppid !== ppid) onEnd();
  }, PARENT_CHECK_MS).unref();
  return () => clearInterval(timer);
}

/** The abort reason of a command that was asked to stop, which is no failure. */
export class StopAskedFor extends Error {
  constructor(reason: string) {
    super(`stopped by ${reason}`);
    this.name = "StopAskedFor";
  }
}
