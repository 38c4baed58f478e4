import { newRunId } from "#shared/store/shards";
import { rankOf } from "#shared/store/runs";
import type { Store } from "#shared/store";

/** Runs that are added together. */
const TOGETHER = 200;

interface Ended {
  /** Age of their end, in ms; their beginning is as old. Default: they ended now. */
  readonly agoMs?: number;
  readonly tenant?: string;
  readonly team?: string;
}

/** Adds runs of one message that have ended, as gateway and agents write them. @returns Their ids. */
export async function addEndedRuns(store: Store, count: number, ended: Ended = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newRunId(store.keys.shard));
  for (let from = 0; from < count; from += TOGETHER)
    await Promise.all(ids.slice(from, from + TOGETHER).map((runId) => addEnded(store, runId, ended)));
  return ids;
}

async function addEnded(
  store: Store,
  runId: string,
  { agoMs = 0, tenant, team = "t" }: Ended,
): Promise<void> {
  const messageId = `${runId}-0`;
  await store.runs.accept({
    runId,
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    team,
    send: { lane: "fresh", agent: "a", jobId: messageId, data: {}, delayMs: 0, priority: "normal" },
    idempotency: null,
    idempotencyLifeMs: 60_000,
    waitingMax: 1_000_000,
    ...(tenant === undefined ? {} : { owner: { tenant, accounts: [] } }),
  });
  const at = new Date(Date.now() - agoMs).toISOString();
  await store.journal.apply([
    {
      event: {
        id: `${messageId}:end`,
        run_id: runId,
        type: "completed",
        at,
        message_id: messageId,
        agent: "a",
        detail: { contract: "t.note@1", ms: 12, tokens: 340, cost: 0.002 },
      },
      moves: { state: "closed", rank: rankOf.closed() },
      result: { answer: `of ${runId}`, text: "x".repeat(500) },
    },
  ]);
  if (agoMs === 0) return;
  const { redis, keys } = store;
  const createdMs = Date.now() - agoMs;
  const lists = [keys.runs("index"), keys.runs("index:completed"), keys.runsOf(tenant ?? "local")];
  await Promise.all([
    redis.hset(keys.run(runId), { created_ms: createdMs, ended_ms: createdMs }),
    ...lists.map((list) => redis.zadd(list, createdMs, runId)),
  ]);
}
