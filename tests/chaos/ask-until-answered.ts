import { sleep } from "#shared/clock";

const PATIENCE_MS = 60_000;
const POLL_MS = 100;

/** Asks, for 60 s by default, until answered; for what may be done twice. @throws What is final, or was met last. */
export async function askUntilAnswered<Value>(
  ask: () => Promise<Value>,
  how: { readonly isFinal?: (error: unknown) => boolean; readonly patienceMs?: number } = {},
): Promise<Value> {
  const { isFinal = () => false, patienceMs = PATIENCE_MS } = how;
  const untilMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (isFinal(error) || performance.now() > untilMs) throw error;
      await sleep(POLL_MS);
    }
  }
}

const LOOK_MS = 20;

/** Looks until something is so, for this long at most. @returns false when it never was. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const endsAtMs = performance.now() + withinMs;
  while (performance.now() < endsAtMs) {
    if (await isSo()) return true;
    await sleep(LOOK_MS);
  }
  return false;
}
