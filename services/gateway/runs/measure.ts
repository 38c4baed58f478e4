import { z } from "zod";
import type { RunCounts } from "#shared/store";
import type { GatewayParts } from "../gateway.ts";

const queueSchema = z.object({
  agent: z.string(),
  lane: z.enum(["fresh", "retry"]),
  waiting: z.int(),
  active: z.int(),
  delayed: z.int(),
  failed: z.int(),
  damage: z
    .string()
    .nullable()
    .meta({ description: "Which keys of the queue are damaged; null for a sound one." }),
});

/** What `GET /v1/stats` says. */
export const statsSchema = z.object({
  equation: z
    .object({
      submitted: z.int(),
      completed: z.int(),
      failed: z.int(),
      cancelled: z.int(),
      expired: z.int(),
      waiting: z.int(),
      balanced: z.boolean(),
    })
    .meta({
      description: "Runs: submitted = completed + failed + cancelled + expired + waiting, at every instant.",
    }),
  waiting: z.object({ queue: z.int(), retry: z.int(), ward: z.int(), quarantine: z.int() }).meta({
    description:
      "queue, retry: messages in the agents' queues now. ward, quarantine: runs that only wait there.",
  }),
  runs: z.record(z.string(), z.int()).meta({ description: "Runs by status." }),
  queues: z.array(queueSchema),
  outbox: z
    .record(z.string(), z.int())
    .meta({ description: "Committed and not yet delivered entries, by slot." }),
});

export type Stats = z.output<typeof statsSchema>;
type QueueDepth = z.output<typeof queueSchema>;

/** The parts of the gateway that measuring needs. */
export type Measured = Pick<GatewayParts, "store" | "teams">;

/** Reads every counter. The equation comes from one read of one hash, and so from one instant. */
export async function measure(gateway: Measured): Promise<Stats> {
  const agents = [...new Set(gateway.teams.flatMap((team) => [...team.agents.keys()]))];
  const lanes = agents.flatMap((agent) => [
    readDepth(gateway, agent, "fresh"),
    readDepth(gateway, agent, "retry"),
  ]);
  const [counts, queues, outbox] = await Promise.all([
    gateway.store.runs.counts(),
    Promise.all(lanes),
    readOutboxes(gateway, ["runs", "ward", ...agents]),
  ]);
  const { submitted: _submitted, ...runs } = counts;
  return {
    equation: balance(counts),
    waiting: {
      queue: sumOf(queues, "fresh"),
      retry: sumOf(queues, "retry"),
      ward: counts.in_ward,
      quarantine: counts.quarantined,
    },
    runs,
    queues,
    outbox,
  };
}

/** Both sides of the conservation equation. Pure. */
export function balance(counts: RunCounts): Stats["equation"] {
  const { submitted, completed, failed, cancelled, expired } = counts;
  const waiting = counts.queued + counts.running + counts.in_ward + counts.quarantined;
  const balanced = submitted === completed + failed + cancelled + expired + waiting;
  return { submitted, completed, failed, cancelled, expired, waiting, balanced };
}

async function readDepth(gateway: Measured, agent: string, lane: QueueDepth["lane"]): Promise<QueueDepth> {
  const { is_paused: _paused, ...depth } = await gateway.store.queues.depth(agent, lane);
  return { agent, lane, ...depth };
}

async function readOutboxes(gateway: Measured, slots: readonly string[]): Promise<Record<string, number>> {
  const { outbox } = gateway.store;
  const sizes = await Promise.all(slots.map(async (slot) => [slot, await outbox.pending(slot)] as const));
  return Object.fromEntries(sizes);
}

function sumOf(queues: readonly QueueDepth[], lane: QueueDepth["lane"]): number {
  return queues
    .filter((depth) => depth.lane === lane)
    .reduce((sum, { waiting, active, delayed }) => sum + waiting + active + delayed, 0);
}
