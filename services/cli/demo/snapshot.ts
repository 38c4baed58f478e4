import { z } from "zod";
import type { Store } from "#shared/store";
import { OPEN_CASE_STATUSES } from "#shared/store/cases";
import type { CaseCounts } from "#shared/store/cases";
import { callApi } from "../http/call-api.ts";
import type { Api } from "../http/call-api.ts";

const statsSchema = z.object({
  equation: z.object({
    submitted: z.number(),
    completed: z.number(),
    failed: z.number(),
    cancelled: z.number(),
    expired: z.number(),
    waiting: z.number(),
    balanced: z.boolean(),
  }),
  waiting: z.object({ queue: z.number(), retry: z.number(), ward: z.number(), quarantine: z.number() }),
  runs: z.record(z.string(), z.number()),
  outbox: z.record(z.string(), z.number()),
});

export type Stats = z.output<typeof statsSchema>;

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
    const reply = await callApi(gateway, { path: "/v1/stats", timeoutMs: SNAPSHOT_TIMEOUT_MS });
    return { stats: statsSchema.parse(reply), cases: await store.cases.counts() };
  } catch {
    return null;
  }
}

/**
 * Returns true when every run has ended or waits for a person. A run whose branch waits for a person has the status
 * `running`; with all queues empty, that branch is what it waits for.
 */
export function isStill({ stats, cases }: Snapshot, submitted: number): boolean {
  const { equation, waiting, runs, outbox } = stats;
  const isRunning = (runs["running"] ?? 0) > 0 && waiting.quarantine === 0;
  const busy = (runs["queued"] ?? 0) + (runs["in_ward"] ?? 0) + (isRunning ? 1 : 0);
  const inWard = OPEN_CASE_STATUSES.filter((status) => status !== "quarantined").reduce(
    (sum, status) => sum + cases[status],
    0,
  );
  const undelivered = Object.values(outbox).reduce((sum, entries) => sum + entries, 0);
  return equation.submitted >= submitted && busy + waiting.queue + waiting.retry + inWard + undelivered === 0;
}
