import { answerOf, definedOf, openClient } from "../http/call-api.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, write } from "../print/print-answer.ts";
import { readInput, readJson } from "../read-input.ts";
import { followRun } from "./follow-run.ts";

interface SubmitOptions extends Connection {
  readonly input: string;
  readonly watch: boolean;
  readonly idempotencyKey?: string;
  readonly preference: Readonly<Record<string, unknown>>;
  readonly constraint: Readonly<Record<string, unknown>>;
}

/** Gives a team a task, and follows its run where that is wanted. */
export async function submitTask(team: string, options: SubmitOptions): Promise<void> {
  const gateway = findApi("gateway", options);
  const input = readJson(await readInput(options.input), "The input");
  const headers = definedOf({ "idempotency-key": options.idempotencyKey });
  const { preference: preferences, constraint: constraints } = options;
  const request = { body: { team, input, user: { preferences }, constraints }, headers };
  const answer = await answerOf(openClient(gateway).POST("/v1/tasks", request));
  const { run_id, trace_id } = answer;
  if (options.watch) await followRun(gateway, run_id, options);
  else if (options.json === true) printJson(answer);
  else write(`Run ${run_id}, trace ${trace_id}.`);
}

interface ReplayOptions extends Connection {
  readonly message?: string;
  readonly payload?: string;
  readonly watch: boolean;
}

/** Repeats a run from one of its messages, and follows the new one where that is wanted. */
export async function replayRun(runId: string, options: ReplayOptions): Promise<void> {
  const gateway = findApi("gateway", options);
  const payload =
    options.payload === undefined
      ? {}
      : { data_payload: readJson(await readInput(options.payload), "The payload") };
  const body = { ...(options.message === undefined ? {} : { message_id: options.message }), ...payload };
  const request = { params: { path: { run_id: runId } }, body };
  const answer = await answerOf(openClient(gateway).POST("/v1/runs/{run_id}/replay", request));
  if (options.watch) await followRun(gateway, answer.run_id, options);
  else if (options.json === true) printJson(answer);
  else write(`Run ${answer.run_id} repeats ${runId}.`);
}
