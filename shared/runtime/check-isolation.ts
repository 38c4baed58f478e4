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

function findUnsupported({ agents, edges }: Team): string | null {
  const join = [...agents.values()].find(({ options }) => options.collects !== undefined);
  if (join !== undefined)
    return `${join.name} collects the branches of fan-outs, which senders write at their join`;
  const awaited = edges.find(({ acknowledgeWithinMs }) => acknowledgeWithinMs !== null);
  if (awaited !== undefined)
    return `${awaited.from} takes back what ${awaited.to} does not accept in time, which it does at the receiver`;
  const sharing = [...agents.values()].find(({ options: { boards = [] } }) => boards.length > 0);
  if (sharing !== undefined)
    return `${sharing.name} opens the board ${sharing.options.boards?.[0] ?? ""}, which agents write together`;
  return null;
}
