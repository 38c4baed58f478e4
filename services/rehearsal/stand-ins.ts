import type { StandIn, Team } from "#shared/runtime";

/** Finds what answers for an agent's step; undefined when nobody does. */
export type FindStandIn = (agent: string, step: string) => StandIn | undefined;

/**
 * Looks stand-ins up among teams. The version of the agent has to fit, unless no agent of that name has it: during a
 * rolling upgrade an older worker is answered by the newer stand-in.
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
