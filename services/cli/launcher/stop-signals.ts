/** What Ctrl+C and a supervisor's SIGTERM do to a command that keeps things running. */
export interface StopSignals {
  /** Aborted at the first signal. */
  readonly signal: AbortSignal;
  /** Stops listening: from then on a signal ends the process as usual. */
  readonly release: () => void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The first signal asks for a clean stop; the second calls `onSecond`, which is to end everything at once. */
export function listenForStop(onSecond: () => void): StopSignals {
  const stopping = new AbortController();
  const hear = (name: NodeJS.Signals): void => {
    if (stopping.signal.aborted) onSecond();
    else stopping.abort(new StopAskedFor(name));
  };
  for (const name of SIGNALS) process.on(name, hear);
  return {
    signal: stopping.signal,
    release: () => {
      for (const name of SIGNALS) process.off(name, hear);
    },
  };
}

/** The abort reason of a command that was asked to stop, which is no failure. */
export class StopAskedFor extends Error {
  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}`);
    this.name = "StopAskedFor";
  }
}

/** Resolves when the signal is aborted. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
