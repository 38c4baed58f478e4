import type { z } from "zod";
import { timestamp } from "#shared/clock";
import { rateHandoffs } from "#shared/feedback";
import { drawHandoffs, listHandoffs } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import type { AgentPresence, Store } from "#shared/store";
import type { HANDOFFS } from "./handoffs.ts";
import type { AnswerOf } from "./operation.ts";
import type { agentSchema } from "./agents.ts";

type AgentView = z.output<typeof agentSchema>;

/** Declared agents with the processes that work for them, then live ones that none of the teams declares. */
export function describeAgents(teams: readonly Team[], live: readonly AgentPresence[]): AgentView[] {
  const byAgent = Map.groupBy(live, ({ agent }) => agent);
  const declared = teams.flatMap((team) => describeTeam(team, byAgent));
  const known = new Set(declared.map(({ agent }) => agent));
  const strangers = [...byAgent].filter(([agent]) => !known.has(agent));
  return [...declared, ...strangers.flatMap(([, own]) => describeStranger(own))];
}

function describeTeam(team: Team, live: ReadonlyMap<string, readonly AgentPresence[]>): AgentView[] {
  return [...team.agents.values()].map((agent) => ({
    agent: agent.name,
    id: agent.id,
    team: team.name,
    description: agent.options.description ?? "",
    accepts: agent.accepts.id,
    hands_to: Object.keys(agent.to),
    capabilities: [...(agent.options.capabilities ?? [])],
    outside: agent.options.outside ?? false,
    declared: true,
    live: (live.get(agent.name) ?? []).map(describePresence),
  }));
}

/** Live, but in no team loaded here: a newer or another deployment shares the store. */
function describeStranger(presences: readonly AgentPresence[]): AgentView[] {
  const newest = presences.toSorted((a, b) => b.version - a.version)[0];
  if (newest === undefined) return [];
  return [
    {
      agent: newest.agent,
      id: `${newest.agent}@${newest.version}`,
      team: newest.team,
      description: newest.description,
      accepts: newest.accepts,
      hands_to: [],
      capabilities: [...newest.capabilities],
      outside: false,
      declared: false,
      live: presences.map(describePresence),
    },
  ];
}

function describePresence(presence: AgentPresence): AgentView["live"][number] {
  const { instance, version, pid, concurrency, started_ms, seen_ms } = presence;
  const { state = "working", restarts = 0, waits_for_model: waits } = presence;
  const own = { instance, version, pid, concurrency, state, restarts };
  const waits_for_model =
    waits === undefined
      ? null
      : { model: waits.model, reason: waits.reason, since: timestamp(waits.since_ms) };
  return { ...own, waits_for_model, started_at: timestamp(started_ms), seen_at: timestamp(seen_ms) };
}

type Matrix = AnswerOf<(typeof HANDOFFS)["listHandoffs"]>;

/** The matrix of handoffs of teams, with what became of them. Of all: also those that no team declares. */
export async function viewHandoffs(
  { rates }: Pick<Store, "rates">,
  { teams, isOfAll, span }: { teams: readonly Team[]; isOfAll: boolean; span: Matrix["span"] },
): Promise<Matrix> {
  const declared = listHandoffs(teams);
  const rated = rateHandoffs(declared, await rates.handoffs(span));
  return {
    span,
    teams: teams.map(({ name, entry, agents }) => ({
      team: name,
      entry: entry.name,
      agents: [...agents.keys()],
    })),
    handoffs: isOfAll ? rated : rated.filter(({ team }) => team !== null),
    mermaid: drawHandoffs(declared),
  };
}
