import { Option } from "commander";
import type { Command } from "commander";
import { readJson } from "#shared/json";
import { CommandRefusedError } from "../errors.ts";
import { callsOf, countOption, limitOption, required, whyOption, withConnection } from "./call-command.ts";

export function addSubmit(program: Command): void {
  const command = program
    .command("submit <team>")
    .description("give a team a task")
    .addOption(required("--input <file>", "file with the task's input as JSON; - reads standard input"))
    .option("--watch", "show what happens until the run has ended", false)
    .option("--idempotency-key <key>", "makes a repeat give the same run")
    .option("--preference <name=value...>", "a preference of the user, as the team takes it", addNamed, {})
    .option("--constraint <name=value...>", "a constraint of the task, as the team takes it", addNamed, {});
  withConnection(command, "gateway").action(async (team, options) =>
    (await import("../runs/run-commands.ts")).submitTask(team, options),
  );
}

/** Adds one `name=value` of the command line. A value that is no JSON is text. */
function addNamed(given: string, before: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const at = given.indexOf("=");
  if (at < 1)
    throw new CommandRefusedError(`${given.slice(0, 64)} is no name=value.`, "Write, say, max_words=200.");
  const text = given.slice(at + 1);
  const value = readJson(text);
  // Words need no quotes.
  return { ...before, [given.slice(0, at)]: value === undefined ? text : value };
}

export function addRuns(program: Command): void {
  const runs = program.command("runs").description("look at runs, cancel and repeat them");
  const add = callsOf(runs, "gateway");
  add("ls", "list runs, newest first", "GET /v1/runs", {
    options: [
      new Option("--status <status>", "only runs in this state"),
      new Option("--team <team>", "only runs of this team"),
      limitOption(),
      new Option("--cursor <cursor>", "next_cursor of the page before"),
    ],
    list: {
      rows: (answer) => answer.runs,
      columns: [
        "run_id as run",
        "team",
        "status",
        "created_at as created",
        "ended_at as ended",
        ["cost", (run) => run.billing.cost_so_far],
      ],
      empty: "No runs.",
      next: (answer) => answer.next_cursor,
    },
  });
  const shown = runs
    .command("show <run_id>")
    .description("show a run with its hops, or what passed between its steps")
    .option("--steps", "print each step as JSON: its input, its output, and what of it was used", false)
    .option("--step <step_id>", "print one step with its values uncut")
    .addOption(countOption("--limit <n>", "at most this many steps", { max: 100, fallback: 20 }))
    .option("--cursor <cursor>", "next_cursor of the page of steps before");
  withConnection(shown, "gateway").action(async (id, options) =>
    (await import("../runs/run-commands.ts")).showRun(id, options),
  );
  const watch = runs.command("watch <run_id>").description("show a run's events until its end");
  withConnection(watch, "gateway").action(async (id, options) =>
    (await import("../runs/run-commands.ts")).watchRun(id, options),
  );
  add("cancel <run_id>", "end a run", "POST /v1/runs/{run_id}/cancel", {
    say: ({ run_id, status }) => `Run ${run_id} is ${status}.`,
  });
  const aim = "show what a run came to unmasked; who, when and why is written down first";
  callsOf(runs, "console")("reveal <run_id>", aim, "POST /v1/runs/{run_id}/reveal", {
    options: [whyOption(true)],
  });
  const replay = runs
    .command("replay <run_id>")
    .description("run again from a recorded message, as a new run")
    .option("--message <message_id>", "the message to begin with (default: the first)")
    .option("--payload <file>", "another payload, as JSON; - reads standard input")
    .option("--watch", "show what happens until the run has ended", false);
  withConnection(replay, "gateway").action(async (id, options) =>
    (await import("../runs/run-commands.ts")).replayRun(id, options),
  );
}

/** Teams as their files declare them: nothing has to run for that, but for `matrix`. */
export function addTeams(program: Command): void {
  const teams = program.command("teams").description("the declared teams and their graphs");
  teams
    .command("ls")
    .alias("list")
    .description("list teams with their agents")
    .option("--json", "print JSON")
    .action(async (options) => (await import("../teams/show-teams.ts")).listTeams(options));
  const aim = "list who may hand what to whom, with how often it went well";
  callsOf(teams, "gateway")("matrix", aim, "GET /v1/handoffs", {
    options: [new Option("--span <span>", "hour, two_days or month").default("hour")],
    list: {
      rows: ({ handoffs }) => handoffs,
      columns: [
        ["team", (one) => one.team ?? "(declared by none)"],
        "from",
        "to",
        "handoff_type as type",
        "contract",
        "done",
        "failed",
        ["success", ({ success_rate: rate }) => (rate === null ? "" : `${(rate * 100).toFixed(1)} %`)],
      ],
      empty: "No teams.",
    },
  });
  teams
    .command("draw [team]")
    .description("print a team's graph, or the handoffs of all teams, as Mermaid")
    .action(async (name) => (await import("../teams/show-teams.ts")).drawTeams(name));
}

export function addTypes(program: Command): void {
  const command = program
    .command("types")
    .description("write the types of the teams for `createClient<Teams>`, from a running gateway");
  withConnection(command, "gateway").action(async (options) =>
    (await import("../teams/types-of-teams.ts")).printTypes(options),
  );
}
