import type { Store } from "#shared/store";
import { OPEN_CASE_STATUSES } from "#shared/store/cases";
import type { CaseCounts } from "#shared/store/cases";
import { answerOf, openClient } from "../http/call-api.ts";
import type { Api, JsonOf } from "../http/call-api.ts";

export type Stats = Pick<JsonOf<"showStats">, "equation" | "waiting" | "runs" | "outbox">;

/** The counts of runs, queues and cases at one moment. */
export interface Snapshot {
  readonly stats: Stats;
  readonly cases: CaseCounts;
}

export interface SnapshotSource {
  readonly gateway: Api;
  readonly store: Store;
}

const SNAPSHOT_TIMEOUT_MS = 5000;

/** Reads a snapshot; null while the gateway or Redis is unavailable. */
export async function readSnapshot({ gateway, store }: SnapshotSource): Promise<Snapshot | null> {
  try {
    const stats = await answerOf(openClient(gateway, SNAPSHOT_TIMEOUT_MS).GET("/v1/stats"));
    return { stats, cases: await store.cases.counts() };
  } catch {
    return null;
  }
}

/**
 * Names what still moves, with its count: nothing when every run has ended or waits for a person. A run whose branch
 * waits for a person has the status `running`; with all queues empty, that branch is what it waits for.
 */
export function whatMoves({ stats, cases }: Snapshot): string[] {
  const { waiting, runs, outbox } = stats;
  const running = waiting.quarantine === 0 ? (runs["running"] ?? 0) : 0;
  const open = OPEN_CASE_STATUSES.filter((status) => status !== "quarantined");
  const counts = {
    "runs queued": runs["queued"] ?? 0,
    "runs running": running,
    "runs in the ward": runs["in_ward"] ?? 0,
    "messages in queues": waiting.queue,
    "messages in retry": waiting.retry,
    "cases in the ward": open.reduce((sum, status) => sum + cases[status], 0),
    "messages not delivered yet": Object.values(outbox).reduce((sum, entries) => sum + entries, 0),
  };
  return Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
}
