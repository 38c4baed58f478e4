/** What a handoff is where nothing else is said. */
export const HANDOFF_TYPE_DEFAULT = "task_delegation";

/** Types of handoffs by receiver, then by sender; the gateway and the surgeon are senders too. */
export type HandoffMatrix = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/**
 * Everything that may be sent within a team. Agents: what their edges declare. The gateway: tasks to agents that tasks
 * begin with, and for producers and replays whatever an edge brings to an agent. The surgeon, which sends on what died
 * elsewhere: any type of the team.
 */
export function createMatrix(team: {
  readonly agents: Iterable<string>;
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly types: readonly string[];
  }[];
  /** Agents that tasks begin with. */
  readonly entries: ReadonlySet<string>;
}): HandoffMatrix {
  const all = [...new Set([HANDOFF_TYPE_DEFAULT, ...team.edges.flatMap(({ types }) => types)])];
  return new Map(
    [...team.agents].map((to) => {
      const edges = team.edges.filter((edge) => edge.to === to);
      const isBegun = team.entries.has(to) || edges.length === 0;
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
