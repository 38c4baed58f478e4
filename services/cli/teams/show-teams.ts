import { loadConfig } from "#shared/config";
import { drawHandoffs, drawTeam, listHandoffs } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { CommandRefusedError } from "../errors.ts";
import { printListing, write } from "../print/print-answer.ts";

/** Lists the declared teams with their agents. */
export async function listTeams(options: { readonly json?: boolean }): Promise<void> {
  const rows = (await load()).map(describe);
  printListing({
    answer: { teams: rows },
    rows,
    columns: [
      "team",
      "entry",
      ["agents", (team) => team.agents.join(" ")],
      ["may go back", (team) => team.loops.join(" ")],
    ],
    empty: "No teams.",
    ...options,
  });
}

/** Prints a team's graph, or who may hand what to whom, as Mermaid. @throws {CommandRefusedError} No such team. */
export async function drawTeams(name: string | undefined): Promise<void> {
  const loaded = await load();
  if (name === undefined) return write(drawHandoffs(listHandoffs(loaded)));
  const team = loaded.find((one) => one.name === name);
  if (team !== undefined) return write(drawTeam(team));
  const known = loaded.map((one) => one.name).join(", ");
  throw new CommandRefusedError(`There is no team ${name}.`, `Name one of ${known}.`);
}

async function load(): Promise<Team[]> {
  return loadTeams(loadConfig().teamsDir);
}

function describe({ name, entry, agents, edges }: Team) {
  return {
    team: name,
    entry: entry.id,
    agents: [...agents.values()].map(({ id }) => id),
    loops: edges.filter(({ loop }) => loop).map(({ from, to }) => `${from}>${to}`),
  };
}
