import { TeamDefinitionError } from "../errors.ts";
import type { Agent, Transitions } from "./define-agent.ts";

/**
 * Gives agents that hand on by capability a transition to every other member that has it.
 *
 * @throws {TeamDefinitionError} No other member has a capability, or one that has it accepts another contract.
 */
export function resolveCapable(team: string, agents: ReadonlyMap<string, Agent>): Map<string, Agent> {
  return new Map([...agents].map(([name, member]) => [name, withReceivers(team, member, agents)]));
}

function withReceivers(team: string, member: Agent, agents: ReadonlyMap<string, Agent>): Agent {
  const { toCapable = {} } = member.options;
  let { to }: { to: Transitions } = member;
  for (const [capability, contract] of Object.entries(toCapable)) {
    const receivers = capableOf(member.name, capability, agents);
    if (receivers.length === 0)
      throw new TeamDefinitionError(
        team,
        `${member.id} hands to ${capability}, a capability that no other agent has`,
      );
    for (const { name, id, accepts } of receivers) {
      if (accepts.name !== contract.name || contract.version > accepts.version)
        throw new TeamDefinitionError(
          team,
          `${id} has the capability ${capability} and accepts ${accepts.id}, not ${contract.id}`,
        );
      if (to[name] !== undefined && to[name].id !== contract.id)
        throw new TeamDefinitionError(
          team,
          `${member.id} hands ${to[name].id} and, by ${capability}, ${contract.id} to ${name}`,
        );
      to = { ...to, [name]: contract };
    }
  }
  return to === member.to ? member : { ...member, to };
}

/** Returns the members other than the sender that have a capability, in the team's order. */
export function capableOf(sender: string, capability: string, agents: ReadonlyMap<string, Agent>): Agent[] {
  return [...agents.values()].filter(
    ({ name, options }) => name !== sender && options.capabilities?.includes(capability) === true,
  );
}
