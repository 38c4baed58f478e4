import { sleep } from "#shared/clock";

const PATIENCE_MS = 60_000;
const POLL_MS = 100;

/** Asks, for 15 s by default, until answered; for what may be done twice. @throws What is final, or was met last. */
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
