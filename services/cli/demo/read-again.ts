import { sleep } from "#shared/clock";

const TRIES_MAX = 60;
const PAUSE_MS = 500;

/** Retries a read until it succeeds: Redis or a service may be restarting. */
export async function readAgain<Value>(read: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  for (let tries = 1; tries < TRIES_MAX; tries += 1) {
    try {
      return await read();
    } catch {
      await sleep(PAUSE_MS, signal);
    }
  }
  return read();
}
