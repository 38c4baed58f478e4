import type { Team } from "./define-team.ts";
import { IsolationUnsupportedError } from "./isolation-errors.ts";

/**
 * Refuses teams that need what agents cannot do with `SUTURE_TRUST=isolated`.
 *
 * @throws {IsolationUnsupportedError} Names the first such team and what it needs.
 */
export function checkIsolation(teams: readonly Team[]): void {
  for (const team of teams) {
    const problem = findUnsupported(team);
    if (problem !== null) throw new IsolationUnsupportedError(team.name, problem);
  }
}

function findUnsupported({ agents }: Team): string | null {
  const sharing = [...agents.values()].find(({ options: { boards = [] } }) => boards.length > 0);
  if (sharing !== undefined)
    return `${sharing.name} opens the board ${sharing.options.boards?.[0] ?? ""}, which agents write together`;
  return null;
}
