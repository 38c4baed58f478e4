import { balance, describeAgents } from "#shared/api";
import type { Overview } from "#shared/api";
import { timestamp } from "#shared/clock";
import type { Team } from "#shared/runtime";
import { WARD_QUEUE } from "#shared/store";
import type { Store } from "#shared/store";
import type { QueueDepth } from "#shared/store/queues";
import { readAudit } from "#shared/store/upkeep";
import { findHeldBack } from "./measure-costs.ts";
import type { SurgeryLimitsView } from "./measure-costs.ts";

/** One lane of one agent. Counts are jobs. */
export interface LaneDepth extends QueueDepth {
  readonly agent: string;
  readonly lane: "fresh" | "retry" | "ward";
}

interface Measured {
  readonly store: Store;
  readonly teams: readonly Team[];
  readonly isRehearsal: boolean;
  readonly surgeryLimits: SurgeryLimitsView;
}

export async function measure(console: Measured): Promise<Overview> {
  const { store, teams, isRehearsal, surgeryLimits } = console;
  const [runs, audit, ward, queues, agents, micro, held, circuits] = await Promise.all([
    store.runs.counts(),
    readAudit(store),
    store.cases.counts(),
    measureQueues(console),
    store.registry.live(),
    store.cases.costs.spentThisHour(),
    findHeldBack(console),
    store.circuits.list(),
  ]);
  return {
    at: timestamp(),
    is_rehearsal: isRehearsal,
    equation: balance(runs, audit),
    runs,
    ward,
    queues,
    agents: describeAgents(teams, agents),
    surgery_cost_this_hour: micro / 1_000_000,
    surgery_limits: surgeryLimits,
    surgery_held: held,
    circuits: circuits.filter(({ state }) => state !== "closed"),
  };
}

/** Every lane there is: two for each agent of the loaded teams, and the surgeon's. */
export function lanesOf(teams: readonly Team[]): Pick<LaneDepth, "agent" | "lane">[] {
  const agents = [...new Set(teams.flatMap((team) => [...team.agents.keys()]))];
  const own = agents.flatMap((agent) => [
    { agent, lane: "fresh" } as const,
    { agent, lane: "retry" } as const,
  ]);
  return [...own, { agent: WARD_QUEUE, lane: "ward" }];
}

export async function measureQueues({
  store,
  teams,
}: Pick<Measured, "store" | "teams">): Promise<LaneDepth[]> {
  return Promise.all(lanesOf(teams).map((lane) => measureLane(store, lane)));
}

async function measureLane(
  store: Store,
  { agent, lane }: Pick<LaneDepth, "agent" | "lane">,
): Promise<LaneDepth> {
  return { agent, lane, ...(await store.queues.depth(agent, lane)) };
}
