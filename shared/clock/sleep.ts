import { setTimeout as wait } from "node:timers/promises";

/** Waits `delayMs`; rejects with the signal's reason as soon as it is aborted. */
export async function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(delayMs, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Rejects with the signal's reason as soon as it is aborted. */
export function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
