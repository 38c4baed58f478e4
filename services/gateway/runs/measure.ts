import type { Stats } from "#shared/api";
import { timestamp } from "#shared/clock";
import { balance, readAudit } from "#shared/store/upkeep";
import type { AuditReport } from "#shared/store/upkeep";
import type { GatewayParts } from "../gateway.ts";

/** Lost messages that are named; `equation.lost` counts all. */
const LOST_NAMED_MAX = 100;

type QueueDepth = Stats["queues"][number];

/** The parts of the gateway that measuring needs. */
type Measured = Pick<GatewayParts, "store" | "teams" | "bounds">;

/** Reads every counter. The equation comes from one read of one hash of each shard, and so from one instant of it. */
export async function measure(gateway: Measured): Promise<Stats> {
  const agents = [...new Set(gateway.teams.flatMap((team) => [...team.agents.keys()]))];
  const lanes = agents.flatMap((agent) => [
    readDepth(gateway, agent, "fresh"),
    readDepth(gateway, agent, "retry"),
  ]);
  const [counts, audit, queues, inboxes] = await Promise.all([
    gateway.store.runs.counts(),
    readAudit(gateway.store, gateway.bounds.auditGraceMs),
    Promise.all(lanes),
    Promise.all(gateway.store.awake.map(({ redis, keys }) => redis.llen(keys.inbox()))),
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
    inbox: inboxes.reduce((sum, length) => sum + length, 0),
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

function sumOf(queues: readonly QueueDepth[], lane: QueueDepth["lane"]): number {
  return queues
    .filter((depth) => depth.lane === lane)
    .reduce((sum, { waiting, active, delayed }) => sum + waiting + active + delayed, 0);
}

/** Gives one answer for a while, by a clock that only runs, and asks once for all. Failures are not remembered. */
export function remember<Value>(staleMsMax: number, ask: () => Promise<Value>): () => Promise<Value> {
  let answer: { readonly value: Promise<Value>; readonly untilMs: number } | null = null;
  return () => {
    if (answer !== null && performance.now() < answer.untilMs) return answer.value;
    const value = ask();
    const own = { value, untilMs: performance.now() + staleMsMax };
    answer = own;
    value.catch(() => {
      if (answer === own) answer = null;
    });
    return value;
  };
}
