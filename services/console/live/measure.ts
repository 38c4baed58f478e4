import { timestamp } from "#shared/clock";
import type { Team } from "#shared/runtime";
import { WARD_QUEUE } from "#shared/store";
import type { AgentPresence, Store } from "#shared/store";
import type { CaseCounts } from "#shared/store/cases";
import type { CircuitDetail } from "#shared/store/feedback";
import type { QueueDepth } from "#shared/store/queues";
import type { RunCounts } from "#shared/store/runs";
import { readAudit } from "#shared/store/upkeep";
import type { AuditReport } from "#shared/store/upkeep";
import { findHeldBack } from "./measure-costs.ts";
import type { HeldBack, SurgeryLimitsView } from "./measure-costs.ts";

/** One lane of one agent. Counts are jobs. */
export interface LaneDepth extends QueueDepth {
  readonly agent: string;
  readonly lane: "fresh" | "retry" | "ward";
}

/** Both sides of the conservation equation. Counts are runs. */
export interface Equation {
  readonly submitted: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly expired: number;
  readonly waiting: number;
  /** Messages that runs wait for and nothing holds, as the audit of the gateway counts. */
  readonly lost: number;
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

/** The figures at the top of the page. */
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
  /** What the hour's limit holds back; null where it does not. */
  readonly surgery_held: HeldBack | null;
  /** Circuits that are not closed. */
  readonly circuits: readonly CircuitDetail[];
}

interface Measured {
  readonly store: Store;
  readonly teams: readonly Team[];
  readonly isRehearsal: boolean;
  readonly surgeryLimits: SurgeryLimitsView;
}

export async function measure(console: Measured): Promise<Overview> {
  const { store, isRehearsal, surgeryLimits } = console;
  const [runs, audit, ward, queues, agents, micro, held, circuits] = await Promise.all([
    store.runs.counts(),
    readAudit(store),
    store.cases.counts(),
    measureQueues(console),
    listAgents(console),
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
    agents,
    surgery_cost_this_hour: micro / 1_000_000,
    surgery_limits: surgeryLimits,
    surgery_held: held,
    circuits: circuits.filter(({ state }) => state !== "closed"),
  };
}

/** The equation from one reading of the counters, and from what the audit found to be there. Pure. */
export function balance(counts: RunCounts, audit: Pick<AuditReport, "lost" | "differs">): Equation {
  const { submitted, completed, failed, cancelled, expired } = counts;
  const waiting = counts.queued + counts.running + counts.in_ward + counts.quarantined;
  const lost = audit.lost.length;
  const addsUp = submitted === completed + failed + cancelled + expired + waiting;
  const balanced = addsUp && lost === 0 && audit.differs.length === 0;
  return { submitted, completed, failed, cancelled, expired, waiting, lost, balanced };
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
