const INTERRUPTED_EXIT_CODE = 130;

/**
 * Uses a server and stops it, whatever happens. It would outlive an interrupted benchmark, so that an interruption
 * stops it first.
 */
export async function stopOnInterrupt<Result>(
  stop: () => Promise<void>,
  use: () => Promise<Result>,
): Promise<Result> {
  const onInterrupt = (): void => void stop().finally(() => process.exit(INTERRUPTED_EXIT_CODE));
  process.once("SIGINT", onInterrupt);
  process.once("SIGTERM", onInterrupt);
  try {
    return await use();
  } finally {
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onInterrupt);
    await stop();
  }
}
