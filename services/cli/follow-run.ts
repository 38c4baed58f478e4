import type { Api } from "./http/call-api.ts";
import { answerOf, openClient } from "./http/call-api.ts";
import { watchRun } from "./http/watch-run.ts";
import { listenForStop } from "./launcher/stop-signals.ts";
import { formatEvent } from "./print/print-events.ts";
import { printJson, printJsonLine, write } from "./print/print-answer.ts";

/** Shows a run's events until its end, then the run. The exit code is 1 where it did not complete. */
export async function followRun(
  gateway: Api,
  runId: string,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const { signal, release } = listenForStop(() => process.exit(1));
  try {
    const onEvent = (event: Parameters<typeof formatEvent>[0]): void =>
      json === true ? printJsonLine(event) : write(formatEvent(event));
    const status = await watchRun(gateway, { runId, signal, onEvent });
    const request = { params: { path: { run_id: runId } }, signal };
    const run = await answerOf(openClient(gateway).GET("/v1/runs/{run_id}", request));
    if (json === true) printJsonLine(run);
    else printJson(run);
    if (status !== "completed") process.exitCode = 1;
  } catch (error) {
    // Ctrl+C ends the watching, not the run.
    if (!signal.aborted) throw error;
  } finally {
    release();
  }
}
