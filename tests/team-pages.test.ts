import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { drawTeam } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";

/** A page that shows another graph than the code has is worse than none. */

const pageOf = (team: string): string => `docs/teams/${team}.md`;

it("shows on each team's page the graph that the code has", async () => {
  const teams = await loadTeams("services/agents");
  expect(teams.length).toBeGreaterThanOrEqual(6);
  for (const team of teams) {
    const drawn = /```mermaid\n([^]*?)\n```/.exec(readFileSync(pageOf(team.name), "utf8"))?.[1];
    expect(drawn, pageOf(team.name)).toBe(drawTeam(team));
  }
});

const MINUTE_MS = 60_000;

/** The sentence about lives that a team's page has to hold. */
function lifeOf({ agents, options }: Team): string {
  if (options.ttlMs !== undefined) throw new Error("say here how a page tells a team's own life");
  const own = [...agents.values()].flatMap(({ name, options: { ttlMs } }) =>
    ttlMs === undefined ? [] : [`; a message to \`${name}\` lives ${ttlMs / MINUTE_MS} minutes`],
  );
  return `A task lives one day, unless it or \`SUTURE_TASK_LIFE_HOURS\` says otherwise${own.join("")}.`;
}

it("says on each team's page how long its tasks live, as the code has it", async () => {
  for (const team of await loadTeams("services/agents"))
    expect(readFileSync(pageOf(team.name), "utf8"), pageOf(team.name)).toContain(lifeOf(team));
});
