import { sleep } from "#shared/clock";

const PATIENCE_MS = 15_000;
const POLL_MS = 100;

/**
 * Asks until it is answered: a fault may have cut the harness's own connection, or move a slot of the cluster for
 * longer than its client follows. Only for what may be done twice.
 *
 * @param isFinal - Says of an error that it is the answer; default: none is.
 * @throws What was last met after 15 s, or what is final.
 */
export async function patiently<Value>(
  ask: () => Promise<Value>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<Value> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (isFinal(error) || performance.now() > untilMs) throw error;
      await sleep(POLL_MS);
    }
  }
}
