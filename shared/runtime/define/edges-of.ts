import type { KeyEdge } from "#shared/envelope/keys";
import type { Team } from "./define-team.ts";

/**
 * Returns every edge that needs a key: those that teams declare, gateway and surgeon to every agent, and every agent,
 * the surgeon and the console to the ward. People's decisions are signed with Ed25519, so that many can
 * verify them and only the console can sign.
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
    { from: "surgeon", to: "ward" },
    { from: "console", to: "ward", alg: "EdDSA" },
  ];
}
