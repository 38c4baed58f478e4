import { z } from "zod";
import { timestamp } from "#shared/clock";
import { RUN_STATUSES } from "#shared/store/runs";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import { deriveHops, hopSchema } from "./derive-hops.ts";

export const statusField = z.enum(RUN_STATUSES);

/** A run in a list. Costs in USD. */
export const runSummarySchema = z.object({
  run_id: z.string(),
  trace_id: z.string(),
  team: z.string(),
  status: statusField,
  created_at: z.string(),
  ended_at: z.string().nullable(),
  billing: z.object({ cost_so_far: z.number(), tokens_consumed: z.number(), currency: z.string() }),
  /** Messages of the run that are not closed, by who holds them. */
  waiting: z.object({ open: z.int(), in_ward: z.int(), quarantined: z.int() }),
  unreadable: z
    .array(z.string())
    .exactOptional()
    .meta({ description: "Fields of the run's record that cannot be read. Absent: none." }),
});

/** A run in full. */
export const runSchema = runSummarySchema.extend({
  result: z.unknown().meta({ description: "`[sensitive]` where the key may not see it." }),
  error: z.unknown(),
  hops: z.array(hopSchema),
});

export function summarise(record: RunRecord): z.output<typeof runSummarySchema> {
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
export function viewRun(record: RunRecord, events: readonly RunEvent[]): z.output<typeof runSchema> {
  return { ...summarise(record), result: record.result, error: record.error, hops: deriveHops(events) };
}
