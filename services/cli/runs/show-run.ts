import { answerOf, definedOf, openClient } from "../http/call-api.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, printListing } from "../print/print-answer.ts";

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
  printListing(
    {
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
    },
    {},
  );
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
