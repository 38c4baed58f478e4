import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { drawTeam, loadTeams } from "#shared/runtime";

/** A page that shows another graph than the code has is worse than none. */

const pageOf = (team: string): string => `docs/teams/${team}.md`;

it("shows on each team's page the graph that the code has", async () => {
  const teams = (await loadTeams("services/agents")).filter(({ name }) => existsSync(pageOf(name)));
  expect(teams.map(({ name }) => name)).toEqual(expect.arrayContaining(["coder", "editorial"]));
  for (const team of teams) {
    const drawn = /```mermaid\n([^]*?)\n```/.exec(readFileSync(pageOf(team.name), "utf8"))?.[1];
    expect(drawn, pageOf(team.name)).toBe(drawTeam(team));
  }
});
