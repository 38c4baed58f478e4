import type { Confirmation } from "../confirmation.ts";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";
import type { RunChange } from "./run-event.ts";

interface ConfirmParts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly confirmation: Confirmation;
}

/**
 * Waits until replicas have a change of a run. Does nothing for an unknown or deleted run.
 *
 * @throws {NotReplicatedError}
 */
export async function confirmChange(parts: ConfirmParts, { event }: RunChange): Promise<void> {
  const run = parts.keys.run(event.run_id);
  if ((await parts.redis.exists(run)) === 1)
    await parts.confirmation.confirm(`${run}:messages`, `e:${event.id}`);
}
