import { z } from "zod";
import { drawTeam } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import type { Handler } from "../operation.ts";
import { teamsFor } from "../tenancy/may-see.ts";

const teamSchema = z.object({
  team: z.string(),
  description: z.string(),
  entry: z.string(),
  entry_contract: z.string(),
  agents: z.array(z.string()),
  edges: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      contract: z.string(),
      handoff_types: z.array(z.string()),
      loop: z.boolean(),
      fallbacks: z.array(z.string()),
      acknowledge_within_ms: z.number().nullable(),
    }),
  ),
  contracts: z.array(z.string()),
  preferences: z.record(z.string(), z.unknown()),
  constraints: z.record(z.string(), z.unknown()),
  mermaid: z.string().meta({ description: "The graph as Mermaid text." }),
});

export const listTeams: Handler<"listTeams"> = async ({ gateway, caller }) => {
  return { teams: teamsFor(gateway, caller).map(describe) };
};

function describe(team: Team): z.output<typeof teamSchema> {
  return {
    team: team.name,
    description: team.options.description ?? "",
    entry: team.entry.name,
    entry_contract: team.entry.accepts.id,
    agents: [...team.agents.values()].map((agent) => agent.id),
    edges: team.edges.map(({ acknowledgeWithinMs, fallbacks, types, ...edge }) => ({
      ...edge,
      handoff_types: [...types],
      fallbacks: [...fallbacks],
      acknowledge_within_ms: acknowledgeWithinMs,
    })),
    contracts: team.contracts.all().map((contract) => contract.id),
    preferences: z.toJSONSchema(team.terms.preferences),
    constraints: z.toJSONSchema(team.terms.constraints),
    mermaid: drawTeam(team),
  };
}
