import { sleep } from "#shared/clock";
import type { Gateway } from "../gateway.ts";

const ANSWER_WITHIN_MS = 1000;

/** Whether Redis answers now, within a second. Never throws. */
export async function canReachStore({ store }: Pick<Gateway, "store">): Promise<boolean> {
  if (store.redis.status !== "ready") return false;
  const giveUp = new AbortController();
  const answer = store.runs.counts().then(
    () => true,
    () => false,
  );
  const timeout = sleep(ANSWER_WITHIN_MS, giveUp.signal).then(
    () => false,
    () => false,
  );
  const canReach = await Promise.race([answer, timeout]);
  giveUp.abort();
  return canReach;
}
