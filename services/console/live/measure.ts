import { timestamp } from "#shared/clock";
import type { Team } from "#shared/runtime";
import { WARD_QUEUE } from "#shared/store";
import type { AgentPresence, CaseCounts, RunCounts, Store } from "#shared/store";

/** One lane of one agent. Counts are jobs. */
export interface LaneDepth {
  readonly agent: string;
  readonly lane: "fresh" | "retry" | "ward";
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
  readonly is_paused: boolean;
}

/** Both sides of the conservation equation. Counts are runs. */
export interface Equation {
  readonly submitted: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly expired: number;
  readonly waiting: number;
  readonly balanced: boolean;
}

/** One declared or live agent with its processes. */
export interface AgentView {
  readonly agent: string;
  readonly team: string;
  readonly description: string;
  readonly accepts: string;
  readonly declared: boolean;
  readonly live: readonly AgentPresence[];
}

/** What the ladder may spend, in USD: as this process is configured, and the surgeon with it. */
export interface SurgeryLimitsView {
  readonly cost_per_case: number;
  readonly cost_per_hour: number;
  readonly cost_per_group: number;
}

/** All that the top of the page says. */
export interface Overview {
  readonly at: string;
  readonly is_rehearsal: boolean;
  readonly equation: Equation;
  readonly runs: RunCounts;
  readonly ward: CaseCounts;
  readonly queues: readonly LaneDepth[];
  readonly agents: readonly AgentView[];
  /** USD that surgery cost or set aside in this hour. */
  readonly surgery_cost_this_hour: number;
  readonly surgery_limits: SurgeryLimitsView;
  /**
   * Questions to a model that wait for the next hour, because this one's money is spent. They go on by themselves.
   */
  readonly surgery_put_off_this_hour: number;
}

interface Measured {
  readonly store: Store;
  readonly teams: readonly Team[];
  readonly isRehearsal: boolean;
  readonly surgeryLimits: SurgeryLimitsView;
}

export async function measure(console: Measured): Promise<Overview> {
  const { store, isRehearsal, surgeryLimits } = console;
  const [runs, ward, queues, agents, micro, putOff] = await Promise.all([
    store.runs.counts(),
    store.cases.counts(),
    measureQueues(console),
    listAgents(console),
    store.cases.costs.spentThisHour(),
    store.cases.costs.putOffThisHour(),
  ]);
  return {
    at: timestamp(),
    is_rehearsal: isRehearsal,
    equation: balance(runs),
    runs,
    ward,
    queues,
    agents,
    surgery_cost_this_hour: micro / 1_000_000,
    surgery_limits: surgeryLimits,
    surgery_put_off_this_hour: putOff,
  };
}

/** The equation from one reading of the counters. Pure. */
export function balance(counts: RunCounts): Equation {
  const { submitted, completed, failed, cancelled, expired } = counts;
  const waiting = counts.queued + counts.running + counts.in_ward + counts.quarantined;
  const balanced = submitted === completed + failed + cancelled + expired + waiting;
  return { submitted, completed, failed, cancelled, expired, waiting, balanced };
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
  const queue = store.queues.of(agent, lane);
  const [counts, is_paused] = await Promise.all([
    queue.getJobCounts("waiting", "prioritized", "active", "delayed", "failed"),
    queue.isPaused(),
  ]);
  const of = (state: string): number => counts[state] ?? 0;
  const waiting = of("waiting") + of("prioritized");
  return {
    agent,
    lane,
    waiting,
    active: of("active"),
    delayed: of("delayed"),
    failed: of("failed"),
    is_paused,
  };
}

/** Declared agents with their processes, then live ones that no loaded team declares. */
export async function listAgents({ store, teams }: Pick<Measured, "store" | "teams">): Promise<AgentView[]> {
  const live = Map.groupBy(await store.registry.live(), (presence) => presence.agent);
  const declared = teams.flatMap((team) =>
    [...team.agents.values()].map((agent) => ({
      agent: agent.name,
      team: team.name,
      description: agent.options.description ?? "",
      accepts: agent.accepts.id,
      declared: true,
      live: live.get(agent.name) ?? [],
    })),
  );
  const known = new Set(declared.map(({ agent }) => agent));
  const strangers = [...live].filter(([agent]) => !known.has(agent));
  return [...declared, ...strangers.map(([agent, own]) => describeStranger(agent, own))];
}

function describeStranger(agent: string, live: readonly AgentPresence[]): AgentView {
  const first = live[0];
  const { team = "", description = "", accepts = "" } = first ?? {};
  return { agent, team, description, accepts, declared: false, live };
}
