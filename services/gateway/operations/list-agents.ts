import { z } from "zod";
import { timestamp } from "#shared/clock";
import type { AgentPresence } from "#shared/store";
import type { Team } from "#shared/runtime";
import { operation, READERS } from "../operation.ts";
import { seesTotals, teamsFor } from "../tenancy/may-see.ts";

const agentSchema = z.object({
  agent: z.string(),
  id: z
    .string()
    .meta({ description: "name@version as declared here; of the newest live process where none is." }),
  team: z.string(),
  description: z.string(),
  accepts: z.string(),
  hands_to: z.array(z.string()),
  capabilities: z.array(z.string()),
  outside: z.boolean().meta({ description: "Whether POST /v1/handoffs reaches it." }),
  declared: z.boolean(),
  live: z.array(
    z.object({
      instance: z.string(),
      version: z.int(),
      pid: z.int(),
      concurrency: z.int(),
      state: z
        .enum(["working", "held"])
        .meta({ description: "held: takes no work, because its clock differs from that of Redis." }),
      restarts: z.int().meta({ description: "Consumers of its process that were silent and started anew." }),
      waits_for_model: z
        .object({ model: z.string(), reason: z.string(), since: z.string() })
        .nullable()
        .meta({
          description:
            "Set while the circuit of its model is open: messages that need the model wait. Reason configuration: a setting has to be corrected.",
        }),
      started_at: z.string(),
      seen_at: z.string(),
    }),
  ),
});

/** Agents as this gateway's teams declare them, joined with the processes that say they work for them. */
export const listAgents = operation({
  id: "listAgents",
  summary: "List agents, declared and live",
  scopes: READERS,
  status: 200,
  answers: z.object({ agents: z.array(agentSchema) }),
  async handle({ gateway, caller }) {
    const live = Map.groupBy(await gateway.store.registry.live(), (presence) => presence.agent);
    const declared = teamsFor(gateway, caller).flatMap((team) => describeTeam(team, live));
    if (!seesTotals(caller)) return { agents: declared };
    const known = new Set(declared.map(({ agent }) => agent));
    const strangers = [...live]
      .filter(([agent]) => !known.has(agent))
      .map(([, own]) => describeStranger(own));
    return { agents: [...declared, ...strangers.flat()] };
  },
});

function describeTeam(
  team: Team,
  live: ReadonlyMap<string, readonly AgentPresence[]>,
): z.output<typeof agentSchema>[] {
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
function describeStranger(presences: readonly AgentPresence[]): z.output<typeof agentSchema>[] {
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

function describePresence(presence: AgentPresence): z.output<typeof agentSchema>["live"][number] {
  const { instance, version, pid, concurrency, started_ms, seen_ms } = presence;
  const { state = "working", restarts = 0, waits_for_model: waits } = presence;
  return {
    instance,
    version,
    pid,
    concurrency,
    state,
    restarts,
    waits_for_model:
      waits === undefined
        ? null
        : { model: waits.model, reason: waits.reason, since: timestamp(waits.since_ms) },
    started_at: timestamp(started_ms),
    seen_at: timestamp(seen_ms),
  };
}
