import type { Command } from "commander";
import { loadConfig } from "#shared/config";
import { drawTeam } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { CommandRefusedError } from "../errors.ts";
import { printListing, write } from "../print/print-answer.ts";
import { addMatrix } from "./teams-matrix.ts";

/** Teams as their files declare them: nothing has to run for that. */
export function addTeams(program: Command): void {
  const teams = program.command("teams").description("the declared teams and their graphs");
  teams
    .command("ls")
    .alias("list")
    .description("list teams with their agents")
    .option("--json", "print JSON")
    .action(async (options: { readonly json?: boolean }) => {
      const loaded = await load();
      printListing(
        {
          answer: { teams: loaded.map(describe) },
          rows: loaded.map(describe),
          columns: [
            ["team", (team) => team.team],
            ["entry", (team) => team.entry],
            ["agents", (team) => team.agents.join(" ")],
            ["may go back", (team) => team.loops.join(" ")],
          ],
          empty: "No teams.",
        },
        options,
      );
    });
  addMatrix(teams);
  teams
    .command("draw <team>")
    .description("print a team's graph as Mermaid")
    .action(async (name: string) => {
      const loaded = await load();
      const team = loaded.find((one) => one.name === name);
      if (team === undefined) {
        const known = loaded.map((one) => one.name).join(", ");
        throw new CommandRefusedError(`There is no team ${name}.`, `Name one of ${known}.`);
      }
      write(drawTeam(team));
    });
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
