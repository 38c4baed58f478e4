import { z } from "zod";
import { drawTeam } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import type { Handler } from "../operation.ts";
import { teamsFor } from "../tenancy/may-see.ts";

export const listTeams: Handler<"listTeams"> = async ({ gateway, caller }) => {
  return { teams: teamsFor(gateway, caller).map(describe) };
};

function describe(team: Team) {
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
