import type { Logger } from "pino";

/**
 * Repeats a task, starting `intervalMs` after the last run ended, so that slow runs never overlap. A failed run is
 * logged and not retried before the next: every such task is idempotent.
 *
 * @returns A function that stops it.
 */
export function every(intervalMs: number, turn: () => Promise<unknown>, logger: Logger): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout;
  const run = async (): Promise<void> => {
    try {
      await turn();
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, "a regular task failed and will be tried again");
    }
    if (!stopped) arm();
  };
  const arm = (): void => {
    timer = setTimeout(() => void run(), intervalMs);
    timer.unref();
  };
  arm();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
