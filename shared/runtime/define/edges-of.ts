import type { KeyEdge } from "#shared/envelope";
import type { Team } from "./define-team.ts";

/**
 * Every edge that needs a key: what teams declare, the gateway and the surgeon to every agent, and every agent, the
 * surgeon, the console and the relay to the ward. What people decide is signed with Ed25519: many verify it, the
 * console alone signs.
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
    { from: "relay", to: "ward" },
  ];
}
