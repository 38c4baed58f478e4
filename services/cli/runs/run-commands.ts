import type { RunEvent } from "#shared/client";
import { answerOf, definedOf, openClient } from "../http/call-api.ts";
import type { Api } from "../http/call-api.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { clientOf } from "../http/store-files.ts";
import { listenForStop } from "../launcher/stop-signals.ts";
import { printJson, printJsonLine, write, printListing } from "../print/print-answer.ts";
import { clean } from "../print/format-table.ts";
import { readInput, readJson } from "../read-input.ts";

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

export async function watchRun(runId: string, options: Connection): Promise<void> {
  await followRun(findApi("gateway", options), runId, options);
}

/** Shows a run's events until its end, then the run. The exit code is 1 where it did not complete. */
async function followRun(gateway: Api, runId: string, { json }: { readonly json?: boolean }): Promise<void> {
  const { signal, release } = listenForStop(() => process.exit(1));
  try {
    const followed = clientOf(gateway).run("", runId);
    for await (const event of followed.events({ signal })) {
      if (json === true) printJsonLine(event);
      else write(formatEvent(event));
    }
    const run = await followed.show({ signal });
    if (json === true) printJsonLine(run);
    else printJson(run);
    if (run.status !== "completed") process.exitCode = 1;
  } catch (error) {
    // Ctrl+C ends the watching, not the run.
    if (!signal.aborted) throw error;
  } finally {
    release();
  }
}

/** Fields of an event that its line shows, where they are there. */
const SHOWN = "hop attempt reason code failure_class procedure delay_ms case_id status ms cost".split(" ");

/** One event in one line. */
function formatEvent({ at, type, agent, detail }: RunEvent): string {
  const told = SHOWN.flatMap((name) => {
    const value = detail[name];
    if (value === undefined || value === null || value === "") return [];
    return [`${name}=${typeof value === "string" ? value : JSON.stringify(value)}`];
  });
  return [at, type.padEnd(12), (agent ?? "").padEnd(16), ...told].map(clean).join("  ").trimEnd();
}

interface ShowOptions extends Connection {
  readonly steps: boolean;
  readonly step?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** Shows a run with its hops, or what passed between its steps. */
export async function showRun(runId: string, options: ShowOptions): Promise<void> {
  if (options.steps || options.step !== undefined) return printSteps(runId, options);
  const params = { path: { run_id: runId } };
  const answer = await answerOf(openClient(findApi("gateway", options)).GET("/v1/runs/{run_id}", { params }));
  if (options.json === true) return printJson(answer);
  const { hops, result, error, ...run } = answer;
  printJson({ ...run, result, error });
  printListing({
    answer,
    rows: hops,
    columns: [
      "hop",
      "agent",
      "outcome",
      "attempt as tries",
      ["ms", (hop) => Math.round(hop.ms)],
      "cost",
      "model",
      ["next", (hop) => hop.next.map(({ agent }) => agent).join(" ")],
      "message_id as message",
    ],
    empty: "No hops yet.",
  });
}

/** Prints what passed between the steps, a page at a time; or one step, with its values uncut. */
async function printSteps(runId: string, { step, limit, cursor, ...connection }: ShowOptions): Promise<void> {
  const gateway = openClient(findApi("gateway", connection));
  const path = { run_id: runId };
  if (step === undefined) {
    const params = { path, query: definedOf({ limit, cursor }) };
    printJson(await answerOf(gateway.GET("/v1/runs/{run_id}/steps", { params })));
  } else {
    const params = { path: { ...path, step_id: step } };
    printJson(await answerOf(gateway.GET("/v1/runs/{run_id}/steps/{step_id}", { params })));
  }
}
