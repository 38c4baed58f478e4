import { answerOf, definedOf, openClient } from "../http/call-api.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { formatStep } from "../print/format-steps.ts";
import { printJson, write } from "../print/print-answer.ts";

export interface StepsOptions extends Connection {
  readonly steps: boolean;
  readonly step?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** Shows what passed between the steps of a run, a page at a time. */
export async function showSteps(runId: string, options: StepsOptions): Promise<void> {
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
export async function showStep(runId: string, stepId: string, options: Connection): Promise<void> {
  const params = { path: { run_id: runId, step_id: stepId } };
  const step = await answerOf(
    openClient(findApi("gateway", options)).GET("/v1/runs/{run_id}/steps/{step_id}", { params }),
  );
  if (options.json === true) return printJson(step);
  write(formatStep(step));
}
