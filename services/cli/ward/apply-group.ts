import { sleep } from "#shared/clock";
import { answerOf, openClient } from "../http/call-api.ts";
import type { Api, JsonOf } from "../http/call-api.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { persist } from "../http/persist.ts";
import { listenForStop } from "../launcher/stop-signals.ts";
import { printJson, write } from "../print/print-answer.ts";

interface ApplyOptions extends Connection {
  readonly decision: "operate" | "release" | "discard";
  readonly why: string;
  readonly dryRun: boolean;
  readonly canary?: number;
  readonly rate?: number;
}

type Batch = JsonOf<"showApply">;

/** States in which the batch goes on only when somebody says so, or never. */
const RESTING = ["planned", "look", "done", "stopped"];
const LOOK_EVERY_MS = 500;

/** Has every waiting case of a group looked at, and decided on unless it is a dry run; follows the work to its rest. */
export async function applyGroup(fingerprint: string, options: ApplyOptions): Promise<void> {
  const console = findApi("console", options);
  const { signal, release } = listenForStop(() => process.exit(1));
  try {
    const body = {
      decision: options.decision,
      why: options.why,
      ...(options.canary === undefined ? {} : { canary: options.canary }),
      ...(options.rate === undefined ? {} : { rate_per_second: options.rate }),
    };
    const client = openClient(console);
    const request = { params: { path: { fingerprint } }, body };
    const planned = await answerOf(client.POST("/v1/ward/groups/{fingerprint}/apply", request));
    const checked = await followUntilResting(console, planned, signal);
    if (options.dryRun || checked.state !== "planned") return report(checked, options);
    const start = { params: { path: { batch_id: planned.batch_id } }, body: {} };
    const started = await answerOf(client.POST("/v1/ward/applies/{batch_id}/start", start));
    report(await followUntilResting(console, started, signal), options);
  } catch (error) {
    // The batch goes on in the surgeon; only the watching ends.
    if (!signal.aborted) throw error;
  } finally {
    release();
  }
}

async function followUntilResting(console: Api, begun: Batch, signal: AbortSignal): Promise<Batch> {
  const request = { params: { path: { batch_id: begun.batch_id } }, signal };
  const look = () => answerOf(openClient(console).GET("/v1/ward/applies/{batch_id}", request));
  let batch = begun;
  while (!RESTING.includes(batch.state) || (batch.state !== "planned" && batch.under_way > 0)) {
    await sleep(LOOK_EVERY_MS, signal);
    batch = await persist(look, signal);
  }
  return batch;
}

function report(batch: Batch, { json }: ApplyOptions): void {
  if (json === true) return printJson(batch);
  const { batch_id, state, total, checked, would_pass, decided, refused, went_on, died_again } = batch;
  write(`Batch ${batch_id} is ${state}: ${would_pass} of ${checked} looked at would pass, ${total} in all.`);
  write(`Decided ${decided}, refused ${refused}; ${went_on} went on, ${died_again} died again.`);
  if (state === "planned") write("Nothing was changed. Without --dry-run it is carried out.");
  if (state === "look")
    write(
      "It waits for a person, after its canary or a pause. Look at it in the console, and go on or stop there.",
    );
}
