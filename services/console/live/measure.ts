import { describeAgents } from "#shared/api";
import type { AnswerOf, ConsoleApi, Overview } from "#shared/api";
import { timestamp } from "#shared/clock";
import type { Team } from "#shared/runtime";
import { WARD_QUEUE } from "#shared/store";
import type { Store } from "#shared/store";
import type { QueueDepth } from "#shared/store/queues";
import { balance, readAudit } from "#shared/store/upkeep";

/** One lane of one agent. Counts are jobs. */
interface LaneDepth extends QueueDepth {
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
  const [runs, audit, ward, queues, agents, micro, held] = await Promise.all([
    store.runs.counts(),
    readAudit(store),
    store.cases.counts(),
    measureQueues(console),
    store.registry.live(),
    store.cases.costs.spentThisHour(),
    findHeldBack(console),
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

/** What surgery costs, in USD. */
type Costs = AnswerOf<ConsoleApi["showCosts"]>;

/** What the ladder may spend: as this process is configured, and the surgeon with it. */
export type SurgeryLimitsView = Costs["limits"];

const MICRO = 1_000_000;

export async function measureCosts(console: {
  readonly store: Store;
  readonly surgeryLimits: SurgeryLimitsView;
}): Promise<Costs> {
  const { store, surgeryLimits: limits } = console;
  const [micro, held] = await Promise.all([store.cases.costs.lastHours(), findHeldBack(console)]);
  const hours = micro.map((one) => one / MICRO);
  const spent = hours.at(-1) ?? 0;
  return {
    hours,
    this_hour: spent,
    left_this_hour: Math.max(0, limits.cost_per_hour - spent),
    limits,
    held,
  };
}

/** Null where nothing was held back in this hour, or the limit that did it has been raised since. */
async function findHeldBack(console: {
  readonly store: Store;
  readonly surgeryLimits: SurgeryLimitsView;
}): Promise<Costs["held"]> {
  const held = await console.store.cases.costs.heldThisHour();
  if (held === null || held.limit_micro < Math.round(console.surgeryLimits.cost_per_hour * MICRO))
    return null;
  const { since_ms, until_ms, refusals } = held;
  return { since_ms, until_ms, refusals };
}
