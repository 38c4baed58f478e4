const INTERRUPTED_EXIT_CODE = 130;

/** Ways to stop what is lent at this moment. */
const stops = new Set<() => Promise<void>>();

/**
 * Uses a server and stops it, whatever happens. It would outlive an interrupted benchmark, so that an interruption
 * stops all that are in use first.
 *
 * @param stop - Safe to call twice.
 */
export async function stopOnInterrupt<Result>(
  stop: () => Promise<void>,
  use: () => Promise<Result>,
): Promise<Result> {
  if (stops.size === 0) listen();
  stops.add(stop);
  try {
    return await use();
  } finally {
    stops.delete(stop);
    if (stops.size === 0) unlisten();
    await stop();
  }
}

const onInterrupt = (): void => {
  const all = [...stops].map((stop) => stop());
  void Promise.allSettled(all).finally(() => process.exit(INTERRUPTED_EXIT_CODE));
};

function listen(): void {
  process.once("SIGINT", onInterrupt);
  process.once("SIGTERM", onInterrupt);
}

function unlisten(): void {
  process.off("SIGINT", onInterrupt);
  process.off("SIGTERM", onInterrupt);
}
