import { describeAgents } from "#shared/api";
import type { AnswerOf, ConsoleApi, Overview } from "#shared/api";
import { timestamp } from "#shared/clock";
import type { Team } from "#shared/runtime";
import { WARD_QUEUE } from "#shared/store";
import type { Store } from "#shared/store";
import { balance, readAudit } from "#shared/store/upkeep";

type Lane = Overview["queues"][number];

/** What is measured. */
export interface Measured {
  readonly store: Store;
  readonly teams: readonly Team[];
  /** True in a rehearsal; the page marks it. */
  readonly isRehearsal: boolean;
  /** What the ladder may spend: as this process is configured, and the surgeon with it. */
  readonly surgeryLimits: Overview["surgery_limits"];
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
    surgery_cost_this_hour: micro / MICRO,
    surgery_limits: surgeryLimits,
    surgery_held: held,
  };
}

/** Every lane there is: two for each agent of the loaded teams, and the surgeon's. */
export function lanesOf(teams: readonly Team[]): Pick<Lane, "agent" | "lane">[] {
  const agents = [...new Set(teams.flatMap((team) => [...team.agents.keys()]))];
  const lanes = ["fresh", "retry"] as const;
  const own = agents.flatMap((agent) => lanes.map((lane) => ({ agent, lane })));
  return [...own, { agent: WARD_QUEUE, lane: "ward" }];
}

export function measureQueues({ store, teams }: Pick<Measured, "store" | "teams">): Promise<Lane[]> {
  return Promise.all(
    lanesOf(teams).map(async ({ agent, lane }) => ({
      agent,
      lane,
      ...(await store.queues.depth(agent, lane)),
    })),
  );
}

/** What surgery costs, in USD. */
type Costs = AnswerOf<ConsoleApi["showCosts"]>;

type Spending = Pick<Measured, "store" | "surgeryLimits">;

const MICRO = 1_000_000;

export async function measureCosts(console: Spending): Promise<Costs> {
  const { store, surgeryLimits: limits } = console;
  const [micro, held] = await Promise.all([store.cases.costs.lastHours(), findHeldBack(console)]);
  const hours = micro.map((one) => one / MICRO);
  const spent = hours.at(-1) ?? 0;
  const left = Math.max(0, limits.cost_per_hour - spent);
  return { hours, this_hour: spent, left_this_hour: left, limits, held };
}

/** Null where nothing was held back in this hour, or the limit that did it has been raised since. */
async function findHeldBack({ store, surgeryLimits }: Spending): Promise<Costs["held"]> {
  const held = await store.cases.costs.heldThisHour();
  if (held === null || held.limit_micro < Math.round(surgeryLimits.cost_per_hour * MICRO)) return null;
  const { since_ms, until_ms, refusals } = held;
  return { since_ms, until_ms, refusals };
}
