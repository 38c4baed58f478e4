import { sleep } from "#shared/clock";

const PATIENCE_MS = 60_000;
const POLL_MS = 100;

/**
 * Asks until it is answered, as a fault may cut the harness's own connection. Only for what may be done twice.
 * @param how.isFinal - Says that an error is the answer; default: none. @param how.patienceMs - Default 15 s.
 * @throws What was last met by then, or what is final.
 */
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
