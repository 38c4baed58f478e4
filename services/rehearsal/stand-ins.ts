import type { StandIn, Team } from "#shared/runtime";

/** Finds the stand-in of an agent's step; undefined for none. */
export type FindStandIn = (agent: string, step: string) => StandIn | undefined;

/**
 * Looks up stand-ins by agent and step. Prefers the agent's version, else takes another one: during a rolling upgrade
 * the newer stand-in answers an older worker.
 */
export function standInsOf(teams: readonly Team[]): FindStandIn {
  const members = teams.flatMap((team) => [...team.agents.values()]);
  return (agent, step) => {
    const name = agent.replace(/@\d+$/, "");
    const member = members.find((each) => each.id === agent) ?? members.find((each) => each.name === name);
    const standIns = member?.options.standIns;
    return standIns !== undefined && Object.hasOwn(standIns, step) ? standIns[step] : undefined;
  };
}
