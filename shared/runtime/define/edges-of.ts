import type { KeyEdge } from "#shared/envelope/keys";
import type { Team } from "./define-team.ts";

/**
 * Returns every edge that needs a key: those that teams declare, gateway and surgeon to every agent, and every agent to
 * the ward.
 */
export function edgesOf(teams: readonly Team[]): KeyEdge[] {
  const declared = teams.flatMap((team) => team.edges.map(({ from, to }) => ({ from, to })));
  const agents = teams.flatMap((team) => [...team.agents.keys()]);
  return [
    ...declared,
    ...agents.flatMap((agent) => [
      { from: "gateway", to: agent },
      { from: "surgeon", to: agent },
      { from: agent, to: "ward" },
    ]),
  ];
}
