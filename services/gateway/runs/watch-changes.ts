import type { Gateway } from "../gateway.ts";

/** Rings at every change of one run, and remembers a ring that nobody waited for. */
export interface ChangeBell {
  /** Resolves at the next ring (at once if one was missed), after `timeoutMs`, or when the signal is aborted. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Ends the watch. */
  stop(): void;
}

/**
 * Watches a run from now on. Redis may be slow to answer the subscription, or away: nobody waits for it, because who
 * waits looks at the run now and then anyway.
 */
export function watchChanges(gateway: Gateway, runId: string): ChangeBell {
  let isRung = false;
  let wake = (): void => undefined;
  const watch = gateway.watcher.watch(runId, () => {
    isRung = true;
    wake();
  });
  watch.catch((error: unknown) =>
    gateway.logger.debug({ err: error }, "a run is not watched, only looked at"),
  );
  return {
    async wait(timeoutMs, signal) {
      if (!isRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const end = (): void => {
            clearTimeout(timer);
            signal.removeEventListener("abort", end);
            resolve();
          };
          const timer = setTimeout(end, timeoutMs);
          signal.addEventListener("abort", end, { once: true });
          wake = end;
        });
      }
      wake = () => undefined;
      isRung = false;
    },
    stop() {
      watch.then((stop) => stop()).catch(() => undefined);
    },
  };
}
