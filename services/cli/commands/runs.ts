import { Option } from "commander";
import type { Command } from "commander";
import { answerOf, definedOf, openClient } from "../http/call-api.ts";
import type { JsonOf } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { followRun } from "../follow-run.ts";
import { printJson, printListing, write } from "../print/print-answer.ts";
import { readInput } from "../read-input.ts";
import { readJson } from "../read-json.ts";
import { readCount } from "../read-option.ts";
import { addRevealRun } from "./reveal.ts";
import { showStep, showSteps } from "./runs-steps.ts";
import type { StepsOptions } from "./runs-steps.ts";

interface ListOptions extends Connection {
  readonly status?: JsonOf<"showRun">["status"];
  readonly team?: string;
  readonly limit: number;
  readonly cursor?: string;
}

interface ReplayOptions extends Connection {
  readonly message?: string;
  readonly payload?: string;
  readonly watch: boolean;
}

const paramsOf = (run_id: string) => ({ path: { run_id } });

export function addRuns(program: Command): void {
  const runs = program.command("runs").description("look at runs, cancel and repeat them");
  const ls = runs
    .command("ls")
    .alias("list")
    .description("list runs, newest first")
    .option("--status <status>", "only runs in this state")
    .option("--team <team>", "only runs of this team")
    .addOption(new Option("--limit <n>", "at most this many").argParser(readCount(1, 200)).default(50))
    .option("--cursor <cursor>", "next_cursor of the page before");
  withConnection(ls, "gateway").action(list);
  const shown = runs
    .command("show <run_id>")
    .description("show a run with its hops, or what passed between its steps")
    .option("--steps", "show each step: its input, its output, and what of it was used", false)
    .option("--step <step_id>", "show one step with its values uncut")
    .addOption(new Option("--limit <n>", "at most this many steps").argParser(readCount(1, 100)).default(20))
    .option("--cursor <cursor>", "next_cursor of the page of steps before");
  withConnection(shown, "gateway").action(show);
  const watch = runs.command("watch <run_id>").description("show a run's events until its end");
  withConnection(watch, "gateway").action((id: string, options: Connection) =>
    followRun(findApi("gateway", options), id, options),
  );
  withConnection(runs.command("cancel <run_id>").description("end a run"), "gateway").action(cancel);
  addRevealRun(runs);
  const replay = runs
    .command("replay <run_id>")
    .description("run again from a recorded message, as a new run")
    .option("--message <message_id>", "the message to begin with (default: the first)")
    .option("--payload <file>", "another payload, as JSON; - reads standard input")
    .option("--watch", "show what happens until the run has ended", false);
  withConnection(replay, "gateway").action(repeat);
}

async function list(options: ListOptions): Promise<void> {
  const { status, team, limit, cursor } = options;
  const query = definedOf({ status, team, limit, cursor });
  const answer = await answerOf(
    openClient(findApi("gateway", options)).GET("/v1/runs", { params: { query } }),
  );
  const { runs: rows, next_cursor } = answer;
  printListing(
    {
      answer,
      rows,
      columns: [
        ["run", (run) => run.run_id],
        ["team", (run) => run.team],
        ["status", (run) => run.status],
        ["created", (run) => run.created_at],
        ["ended", (run) => run.ended_at],
        ["cost", (run) => run.billing.cost_so_far],
      ],
      empty: "No runs.",
    },
    options,
  );
  if (next_cursor !== null && options.json !== true) write(`More with --cursor ${next_cursor}`);
}

async function show(runId: string, options: StepsOptions): Promise<void> {
  if (options.step !== undefined) return showStep(runId, options.step, options);
  if (options.steps) return showSteps(runId, options);
  const answer = await answerOf(
    openClient(findApi("gateway", options)).GET("/v1/runs/{run_id}", { params: paramsOf(runId) }),
  );
  if (options.json === true) return printJson(answer);
  const { hops, result, error, ...run } = answer;
  printJson({ ...run, result, error });
  printListing(
    {
      answer,
      rows: hops,
      columns: [
        ["hop", (hop) => hop.hop],
        ["agent", (hop) => hop.agent],
        ["outcome", (hop) => hop.outcome],
        ["tries", (hop) => hop.attempt],
        ["ms", (hop) => Math.round(hop.ms)],
        ["cost", (hop) => hop.cost],
        ["model", (hop) => hop.model ?? ""],
        ["next", (hop) => hop.next.map(({ agent }) => agent).join(" ")],
        ["message", (hop) => hop.message_id],
      ],
      empty: "No hops yet.",
    },
    {},
  );
}

async function cancel(runId: string, options: Connection): Promise<void> {
  const run = await answerOf(
    openClient(findApi("gateway", options)).POST("/v1/runs/{run_id}/cancel", { params: paramsOf(runId) }),
  );
  if (options.json === true) return printJson(run);
  write(`Run ${run.run_id} is ${run.status}.`);
}

async function repeat(runId: string, options: ReplayOptions): Promise<void> {
  const gateway = findApi("gateway", options);
  const payload =
    options.payload === undefined
      ? {}
      : { data_payload: readJson(await readInput(options.payload), "The payload") };
  const body = { ...(options.message === undefined ? {} : { message_id: options.message }), ...payload };
  const request = { params: paramsOf(runId), body };
  const answer = await answerOf(openClient(gateway).POST("/v1/runs/{run_id}/replay", request));
  const { run_id } = answer;
  if (options.watch) return followRun(gateway, run_id, options);
  if (options.json === true) return printJson(answer);
  write(`Run ${run_id} repeats ${runId}.`);
}
