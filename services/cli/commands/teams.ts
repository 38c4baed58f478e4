import { Option } from "commander";
import type { Command } from "commander";
import { callsOf } from "./call-command.ts";
import { withConnection } from "./with-connection.ts";

/** Teams as their files declare them: nothing has to run for that, but for `matrix` without `--mermaid`. */
export function addTeams(program: Command): void {
  const teams = program.command("teams").description("the declared teams and their graphs");
  teams
    .command("ls")
    .alias("list")
    .description("list teams with their agents")
    .option("--json", "print JSON")
    .action(async (options) => (await import("../teams/show-teams.ts")).listTeams(options));
  callsOf(
    teams,
    "gateway",
  )({
    name: "matrix",
    description: "list who may hand what to whom, with how often it went well",
    call: "GET /v1/handoffs",
    options: [new Option("--span <span>", "hour or two_days").default("hour")],
    instead: [
      new Option("--mermaid", "draw what the teams' files declare; nothing has to run"),
      async () => (await import("../teams/show-teams.ts")).drawMatrix(),
    ],
    list: {
      rows: ({ handoffs }) => handoffs,
      columns: [
        ["team", (one) => one.team ?? "(declared by none)"],
        ["from", (one) => one.from],
        ["to", (one) => one.to],
        ["type", (one) => one.handoff_type],
        ["contract", (one) => one.contract],
        ["done", (one) => one.done],
        ["failed", (one) => one.failed],
        ["success", ({ success_rate: rate }) => (rate === null ? "" : `${(rate * 100).toFixed(1)} %`)],
      ],
      empty: "No teams.",
    },
  });
  teams
    .command("draw <team>")
    .description("print a team's graph as Mermaid")
    .action(async (name) => (await import("../teams/show-teams.ts")).printTeam(name));
}

export function addTypes(program: Command): void {
  const command = program
    .command("types")
    .description("write the types of the teams for `createClient<Teams>`, from a running gateway")
    .option("--url <url>", "as --gateway-url");
  withConnection(command, "gateway").action(async (options) =>
    (await import("../teams/types-of-teams.ts")).printTypes(options),
  );
}
