import type { Command } from "commander";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { readInput } from "../read-input.ts";
import { printJson, write } from "../print/print-answer.ts";
import { followRun } from "../follow-run.ts";
import { readJson } from "../read-json.ts";

interface SubmitOptions extends Connection {
  readonly input: string;
  readonly watch: boolean;
  readonly idempotencyKey?: string;
}

export function addSubmit(program: Command): void {
  const command = program
    .command("submit <team>")
    .description("give a team a task")
    .requiredOption("--input <file>", "file with the task's input as JSON; - reads standard input")
    .option("--watch", "show what happens until the run has ended", false)
    .option("--idempotency-key <key>", "makes a repeat give the same run");
  withConnection(command, "gateway").action(async (team: string, options: SubmitOptions) => {
    const gateway = findApi("gateway", options);
    const input = readJson(await readInput(options.input), "The input");
    const headers = options.idempotencyKey === undefined ? {} : { "idempotency-key": options.idempotencyKey };
    const request = { body: { team, input }, headers };
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
