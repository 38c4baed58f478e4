import { Option } from "commander";
import type { Command } from "commander";
import { callsOf } from "./call-command.ts";
import { countOption, limitOption, required, whyOption, withConnection } from "./with-connection.ts";
import { CommandRefusedError } from "../errors.ts";

export function addRuns(program: Command): void {
  const runs = program.command("runs").description("look at runs, cancel and repeat them");
  const add = callsOf(runs, "gateway");
  add({
    name: "ls",
    description: "list runs, newest first",
    call: "GET /v1/runs",
    options: [
      new Option("--status <status>", "only runs in this state"),
      new Option("--team <team>", "only runs of this team"),
      limitOption(),
      new Option("--cursor <cursor>", "next_cursor of the page before"),
    ],
    list: {
      rows: (answer) => answer.runs,
      columns: [
        ["run", (run) => run.run_id],
        ["team", (run) => run.team],
        ["status", (run) => run.status],
        ["created", (run) => run.created_at],
        ["ended", (run) => run.ended_at],
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
    .addOption(countOption("--limit <n>", "at most this many steps", { max: 100 }).default(20))
    .option("--cursor <cursor>", "next_cursor of the page of steps before");
  withConnection(shown, "gateway").action(async (id, options) =>
    (await import("../runs/show-run.ts")).showRun(id, options),
  );
  const watch = runs.command("watch <run_id>").description("show a run's events until its end");
  withConnection(watch, "gateway").action(async (id, options) =>
    (await import("../runs/follow-run.ts")).watchRun(id, options),
  );
  add({
    name: "cancel <run_id>",
    description: "end a run",
    call: "POST /v1/runs/{run_id}/cancel",
    say: ({ run_id, status }) => `Run ${run_id} is ${status}.`,
  });
  callsOf(
    runs,
    "console",
  )({
    name: "reveal <run_id>",
    description: "show what a run came to unmasked; who, when and why is written down first",
    call: "POST /v1/runs/{run_id}/reveal",
    options: [whyOption(true)],
  });
  const replay = runs
    .command("replay <run_id>")
    .description("run again from a recorded message, as a new run")
    .option("--message <message_id>", "the message to begin with (default: the first)")
    .option("--payload <file>", "another payload, as JSON; - reads standard input")
    .option("--watch", "show what happens until the run has ended", false);
  withConnection(replay, "gateway").action(async (id, options) =>
    (await import("../runs/start-run.ts")).replayRun(id, options),
  );
}

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
    (await import("../runs/start-run.ts")).submitTask(team, options),
  );
}

/** Adds one `name=value` of the command line. A value that is no JSON is text. */
function addNamed(
  given: string,
  before: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const at = given.indexOf("=");
  if (at < 1)
    throw new CommandRefusedError(`${given.slice(0, 64)} is no name=value.`, "Write, say, max_words=200.");
  const text = given.slice(at + 1);
  let value: unknown = text;
  try {
    value = JSON.parse(text);
  } catch {
    // Words need no quotes.
  }
  return { ...before, [given.slice(0, at)]: value };
}
