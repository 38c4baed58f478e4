import type { Answer } from "../../data/answers.ts";
import type { Handoff } from "../../parts/handoff-table.tsx";

export type Team = Answer<"/v1/handoffs">["teams"][number];

/** All transitions from one agent to another, whatever their types. */
export interface Way {
  readonly from: string;
  readonly to: string;
  readonly rows: readonly Handoff[];
  readonly done: number;
  readonly failed: number;
  /** It leads to an agent as near to the entry, or nearer. */
  readonly isBack: boolean;
}

const [ACROSS, DOWN] = [232, 62];

/** Places a team's agents in columns, by how late a run comes to them. Those that it cannot come to are last. */
export function layTeam({ entry, agents }: Pick<Team, "entry" | "agents">, handoffs: readonly Handoff[]) {
  const depths = depthsFrom(entry, handoffs);
  const last = Math.max(0, ...depths.values());
  const depthOf = (name: string): number => depths.get(name) ?? last + 1;
  const columns = Map.groupBy(agents, depthOf);
  const tallest = Math.max(1, ...[...columns.values()].map(({ length }) => length));
  const places = [...columns].flatMap(([depth, names]) =>
    names.map((name, row) => ({
      name,
      x: depth * ACROSS,
      y: (row + (tallest - names.length) / 2) * DOWN,
    })),
  );
  const pairs = Map.groupBy(handoffs, ({ from, to }) => `${from}>${to}`);
  const ways = [...pairs.values()].flatMap((rows): readonly Way[] => {
    const [first] = rows;
    if (first === undefined || !agents.includes(first.from) || !agents.includes(first.to)) return [];
    const { from, to } = first;
    const sum = (part: "done" | "failed"): number => rows.reduce((total, one) => total + one[part], 0);
    return [
      { from, to, rows, done: sum("done"), failed: sum("failed"), isBack: depthOf(to) <= depthOf(from) },
    ];
  });
  return { places, ways, tallest };
}

/** How high a picture is that shows as many agents above each other, in pixels. */
export const heightOf = (tallest: number): number => Math.min(620, tallest * DOWN + 80);

function depthsFrom(entry: string, handoffs: readonly Handoff[]): ReadonlyMap<string, number> {
  const depths = new Map([[entry, 0]]);
  // A map is walked in the order of its keys, those that come in on the way included.
  for (const [name, depth] of depths)
    for (const { from, to } of handoffs) if (from === name && !depths.has(to)) depths.set(to, depth + 1);
  // Beyond that, each stands behind all that hand to it, but for loops, which have no last one.
  for (const _ of depths)
    for (const { from, to, loop } of handoffs)
      if (!loop) depths.set(to, Math.max(depths.get(to) ?? 0, (depths.get(from) ?? 0) + 1));
  return depths;
}
