/** Handoff type without a declaration. */
export const HANDOFF_TYPE_DEFAULT = "task_delegation";

/** Handoff types by receiver, then by sender, including gateway and surgeon. */
export type HandoffMatrix = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/**
 * Returns all handoffs that are allowed within a team. Agents: as their edges declare. Gateway: tasks to entry
 * agents, and for producers and replays any type that an edge brings to an agent. Surgeon, which redrives dead
 * messages: any type of the team.
 */
export function createMatrix(team: {
  readonly agents: Iterable<string>;
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly types: readonly string[];
  }[];
  /** Agents where tasks begin. */
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
