import type { Command } from "commander";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { readInput } from "../read-input.ts";
import { printJson, write } from "../print/print-answer.ts";
import { followRun } from "../follow-run.ts";
import { readJson } from "../read-json.ts";
import { CommandRefusedError } from "../errors.ts";

interface SubmitOptions extends Connection {
  readonly input: string;
  readonly watch: boolean;
  readonly idempotencyKey?: string;
  readonly preference: Readonly<Record<string, unknown>>;
  readonly constraint: Readonly<Record<string, unknown>>;
}

export function addSubmit(program: Command): void {
  const command = program
    .command("submit <team>")
    .description("give a team a task")
    .requiredOption("--input <file>", "file with the task's input as JSON; - reads standard input")
    .option("--watch", "show what happens until the run has ended", false)
    .option("--idempotency-key <key>", "makes a repeat give the same run")
    .option("--preference <name=value...>", "a preference of the user, as the team takes it", addNamed, {})
    .option("--constraint <name=value...>", "a constraint of the task, as the team takes it", addNamed, {});
  withConnection(command, "gateway").action(async (team: string, options: SubmitOptions) => {
    const gateway = findApi("gateway", options);
    const input = readJson(await readInput(options.input), "The input");
    const headers = options.idempotencyKey === undefined ? {} : { "idempotency-key": options.idempotencyKey };
    const { preference: preferences, constraint: constraints } = options;
    const request = { body: { team, input, user: { preferences }, constraints }, headers };
    const answer = await answerOf(openClient(gateway).POST("/v1/tasks", request));
    const { run_id, trace_id } = answer;
    if (!options.watch) {
      if (options.json === true) printJson(answer);
      else write(`Run ${run_id}, trace ${trace_id}.`);
      return;
    }
    await followRun(gateway, run_id, options);
  });
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
