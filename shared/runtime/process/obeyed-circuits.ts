import type { Team } from "../define/define-team.ts";

/**
 * Returns the agents whose circuits one agent must read: itself and its receivers, where a circuit does more than
 * send a notice. Pure.
 */
export function obeyedCircuits({ agents, circuits }: Team, name: string): readonly string[] {
  const own = agents.get(name);
  if (own === undefined) return [];
  const known = new Set([name, ...Object.keys(own.to)]);
  return [...circuits].flatMap(([one, { reaction }]) =>
    known.has(one) && reaction.kind !== "alert" ? [one] : [],
  );
}
