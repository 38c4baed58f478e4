import { z } from "zod";
import { timestamp } from "#shared/clock";
import { balance, readAudit } from "#shared/store/upkeep";
import type { AuditReport } from "#shared/store/upkeep";
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

/** Lost messages that are named; `equation.lost` counts all. */
const LOST_NAMED_MAX = 100;

const auditSchema = z
  .object({
    done_at: z.string().nullable(),
    lost: z.array(
      z.object({ run_id: z.string(), message_id: z.string(), agent: z.string(), since: z.string() }),
    ),
    differs: z.array(z.object({ status: z.string(), counted: z.int(), listed: z.int() })),
    relisted: z.int(),
    expired: z.int(),
  })
  .meta({
    description:
      "What was counted independently of the counters: the end of the last complete pass, messages that nothing holds, " +
      "statuses whose counter and list differ, and messages put back into their queues or ended as expired so far.",
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
      lost: z
        .int()
        .meta({ description: "Messages that runs wait for and nothing holds, as the audit counts." }),
      balanced: z.boolean().meta({ description: "Both sides agree, and nothing is lost." }),
    })
    .meta({
      description: "Runs: submitted = completed + failed + cancelled + expired + waiting, at every instant.",
    }),
  audit: auditSchema,
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
export type Measured = Pick<GatewayParts, "store" | "teams" | "bounds">;

/** Reads every counter. The equation comes from one read of one hash, and so from one instant. */
export async function measure(gateway: Measured): Promise<Stats> {
  const agents = [...new Set(gateway.teams.flatMap((team) => [...team.agents.keys()]))];
  const lanes = agents.flatMap((agent) => [
    readDepth(gateway, agent, "fresh"),
    readDepth(gateway, agent, "retry"),
  ]);
  const [counts, audit, queues, outbox] = await Promise.all([
    gateway.store.runs.counts(),
    readAudit(gateway.store, gateway.bounds.auditGraceMs),
    Promise.all(lanes),
    readOutboxes(gateway, ["runs", "ward", ...agents]),
  ]);
  const { submitted: _submitted, ...runs } = counts;
  return {
    equation: balance(counts, audit),
    audit: viewOf(audit),
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

function viewOf(audit: AuditReport): Stats["audit"] {
  return {
    done_at: audit.done_ms === null ? null : timestamp(audit.done_ms),
    lost: audit.lost.slice(0, LOST_NAMED_MAX).map(({ run_id, message_id, agent, since_ms }) => ({
      run_id,
      message_id,
      agent,
      since: timestamp(since_ms),
    })),
    differs: [...audit.differs],
    relisted: audit.relisted,
    expired: audit.expired,
  };
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
