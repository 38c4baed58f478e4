import type { Answer } from "../../data/answers.ts";
import type { Handoff } from "../../parts/handoff-table.tsx";

export type Team = Answer<"/v1/handoffs">["teams"][number];
export type Laid = ReturnType<typeof layTeam>;

const [ACROSS, DOWN] = [232, 62];
const HEIGHT_MAX = 620;

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
  const inside = handoffs.filter(({ from, to }) => agents.includes(from) && agents.includes(to));
  // All transitions from one agent to another are one way, whatever their types.
  const ways = [...Map.groupBy(inside, ({ from, to }) => `${from}>${to}`)].map(([id, rows]) => {
    const [from = "", to = ""] = id.split(">");
    const sum = (part: "done" | "failed"): number => rows.reduce((total, one) => total + one[part], 0);
    // It leads to an agent as near to the entry, or nearer.
    const isBack = depthOf(to) <= depthOf(from);
    return { id, from, to, isBack, done: sum("done"), failed: sum("failed") };
  });
  return { places, ways, height: Math.min(HEIGHT_MAX, tallest * DOWN + 80) };
}

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
