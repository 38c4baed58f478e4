import { answerOf, definedOf, openClient } from "../http/call-api.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { formatStep } from "../print/format-steps.ts";
import { printJson, printListing, write } from "../print/print-answer.ts";

interface ShowOptions extends Connection {
  readonly steps: boolean;
  readonly step?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** Shows a run with its hops, or what passed between its steps. */
export async function showRun(runId: string, options: ShowOptions): Promise<void> {
  if (options.step !== undefined) return showStep(runId, options.step, options);
  if (options.steps) return showSteps(runId, options);
  const params = { path: { run_id: runId } };
  const answer = await answerOf(openClient(findApi("gateway", options)).GET("/v1/runs/{run_id}", { params }));
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

/** Shows what passed between the steps, a page at a time. */
async function showSteps(runId: string, options: ShowOptions): Promise<void> {
  const query = definedOf({ limit: options.limit, cursor: options.cursor });
  const params = { path: { run_id: runId }, query };
  const answer = await answerOf(
    openClient(findApi("gateway", options)).GET("/v1/runs/{run_id}/steps", { params }),
  );
  if (options.json === true) return printJson(answer);
  const { steps, is_masked: isMasked, next_cursor: next } = answer;
  write(steps.length === 0 ? "No steps yet." : steps.map(formatStep).join("\n\n"));
  if (isMasked) write("\nWhat contracts mark as sensitive is not shown to this key.");
  if (next !== null) write(`\nMore with --cursor ${next}`);
}

/** Shows one step with its values uncut. */
async function showStep(runId: string, stepId: string, options: Connection): Promise<void> {
  const params = { path: { run_id: runId, step_id: stepId } };
  const step = await answerOf(
    openClient(findApi("gateway", options)).GET("/v1/runs/{run_id}/steps/{step_id}", { params }),
  );
  if (options.json === true) return printJson(step);
  write(formatStep(step));
}
