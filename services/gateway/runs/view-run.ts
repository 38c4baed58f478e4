import type { Hop, RunSummary } from "#shared/api";
import { timestamp } from "#shared/clock";
import type { ListedRun, RunEvent, RunRecord } from "#shared/store/runs";
import { deriveHops } from "./derive-hops.ts";

export function summarise(record: ListedRun): RunSummary {
  return {
    run_id: record.run_id,
    trace_id: record.trace_id,
    team: record.team,
    status: record.status,
    created_at: timestamp(record.created_ms),
    ended_at: record.ended_ms === null ? null : timestamp(record.ended_ms),
    billing: { cost_so_far: record.cost, tokens_consumed: record.tokens, currency: "USD" },
    waiting: record.messages,
    ...(record.unreadable === undefined ? {} : { unreadable: [...record.unreadable] }),
  };
}

/** A run with its hops, which are read from its log. */
export function viewRun(
  record: RunRecord,
  events: readonly RunEvent[],
): RunSummary & {
  readonly result: unknown;
  readonly error: unknown;
  readonly rehearsed: boolean;
  readonly hops: Hop[];
} {
  const hops = deriveHops(events);
  const rehearsed = hops.some(({ model }) => model?.startsWith(REHEARSED) === true);
  return { ...summarise(record), result: record.result, error: record.error, rehearsed, hops };
}

/** Stand-ins answer under model names that begin so, whatever model was asked for. */
const REHEARSED = "rehearsal-";
