import type { Logger } from "pino";

/**
 * Does something again and again, the next time only `intervalMs` after the last ended, so that slow turns never pile
 * up. A turn that fails is logged and forgotten: everything done this way is idempotent and comes round again.
 *
 * @returns what stops it.
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
