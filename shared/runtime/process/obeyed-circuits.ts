import type { Team } from "../define/define-team.ts";

/**
 * The agents whose circuits one agent has to know of: its own and its receivers', where one does more than tell people.
 * Pure.
 */
export function obeyedCircuits({ agents, circuits }: Team, name: string): readonly string[] {
  const own = agents.get(name);
  if (own === undefined) return [];
  const known = new Set([name, ...Object.keys(own.to)]);
  return [...circuits].flatMap(([one, { reaction }]) =>
    known.has(one) && reaction.kind !== "alert" ? [one] : [],
  );
}
