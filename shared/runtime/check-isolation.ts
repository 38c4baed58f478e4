import type { Team } from "./define-team.ts";
import { IsolationUnsupportedError } from "./isolation-errors.ts";

/**
 * Refuses teams that need what an agent may not do in the profile `isolated`.
 *
 * @throws {IsolationUnsupportedError} Names the first such team and what it needs.
 */
export function checkIsolation(teams: readonly Team[]): void {
  for (const team of teams) {
    const problem = findUnsupported(team);
    if (problem !== null) throw new IsolationUnsupportedError(team.name, problem);
  }
}

function findUnsupported({ circuits }: Team): string | null {
  const reacting = [...circuits].find(
    ([, { reaction }]) => !("kind" in reaction) || reaction.kind !== "alert",
  );
  if (reacting !== undefined)
    return `the circuit of ${reacting[0]} does more than alert people, which others would have to read from the ward`;
  return null;
}
