import { sum } from "../store-part.ts";
import type { Store } from "../store.ts";
import { isHeld, isStillAwaited } from "./find-holder.ts";
import { WAITING_STATUSES } from "./read-audit.ts";

/** Result of an independent check of queues, the inbox and cases against the runs that have not ended. */
export interface Audit {
  /** Number of runs checked. */
  readonly runs: number;
  /** Open messages that nothing holds. Empty if the guarantee is kept. */
  readonly lost: readonly { readonly run_id: string; readonly message_id: string; readonly agent: string }[];
}

const RUNS_MAX = 10_000;

/** Checks what is really stored for each message that runs wait for. For tests; services use `RunAudit`. */
export async function auditRuns(
  { shards }: Store,
  hasCase: (messageId: string) => Promise<boolean>,
): Promise<Audit> {
  const audits = await Promise.all(
    shards.map(async (shard) => {
      const listed = await Promise.all(WAITING_STATUSES.map((status) => shard.runs.idsIn(status, RUNS_MAX)));
      const ids = [...new Set(listed.flat())];
      const lost: Audit["lost"][number][] = [];
      for (const id of ids) lost.push(...(await lostOf(shard, id, hasCase)));
      return { runs: ids.length, lost };
    }),
  );
  return { runs: sum(audits.map(({ runs }) => runs)), lost: audits.flatMap(({ lost }) => lost) };
}

async function lostOf(
  shard: Store,
  run_id: string,
  hasCase: (messageId: string) => Promise<boolean>,
): Promise<Audit["lost"]> {
  const lost: Audit["lost"][number][] = [];
  for (const message of await shard.runs.messages(run_id)) {
    if (message.state === "closed" || (await isHeld(shard, message, hasCase))) continue;
    if (await isStillAwaited(shard, run_id, message))
      lost.push({ run_id, message_id: message.message_id, agent: message.agent });
  }
  return lost;
}
