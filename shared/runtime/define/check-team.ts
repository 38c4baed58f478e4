import { TeamDefinitionError } from "../errors.ts";
import type { Agent, Transitions } from "./define-agent.ts";

/** Handoff type without a declaration. */
export const HANDOFF_TYPE_DEFAULT = "task_delegation";

/** Handoff types by receiver, then by sender, including gateway and surgeon. */
export type HandoffMatrix = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Returns a team's allowed handoffs: agents' as declared, the gateway's to the entry, the surgeon's of any type. */
export function createMatrix(team: {
  readonly agents: Iterable<string>;
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly types: readonly string[];
  }[];
  /** Agent where tasks begin. */
  readonly entry: string;
}): HandoffMatrix {
  const all = [...new Set([HANDOFF_TYPE_DEFAULT, ...team.edges.flatMap(({ types }) => types)])];
  return new Map(
    [...team.agents].map((to) => {
      const edges = team.edges.filter((edge) => edge.to === to);
      const isBegun = team.entry === to || edges.length === 0;
      const fromOutside = [
        ...(isBegun ? [HANDOFF_TYPE_DEFAULT] : []),
        ...edges.flatMap(({ types }) => types),
      ];
      return [
        to,
        new Map([
          ...edges.map(({ from, types }) => [from, types] as const),
          ["gateway", [...new Set(fromOutside)]] as const,
          ["surgeon", all] as const,
        ]),
      ];
    }),
  );
}

/** Adds transitions to all members with a capability. @throws {TeamDefinitionError} None, or of other contracts. */
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
