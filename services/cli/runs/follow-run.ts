import type { Api } from "../http/call-api.ts";
import { clientOf } from "../http/client-of.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { listenForStop } from "../launcher/stop-signals.ts";
import { formatEvent } from "../print/print-events.ts";
import { printJson, printJsonLine, write } from "../print/print-answer.ts";

/** Shows a run's events until its end, then the run. The exit code is 1 where it did not complete. */
export async function followRun(
  gateway: Api,
  runId: string,
  { json }: { readonly json?: boolean },
): Promise<void> {
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

export async function watchRun(runId: string, options: Connection): Promise<void> {
  await followRun(findApi("gateway", options), runId, options);
}
