import { writeFileSync } from "node:fs";
import type { Store } from "#shared/store";
import { loadTeams } from "#shared/runtime/process";
import { DemoFailedError } from "../errors.ts";
import type { Api } from "../http/call-api.ts";
import { keepLaunched } from "../launcher/run-up.ts";
import type { Launched } from "../launcher/launch.ts";
import { openStore } from "../launcher/open-store.ts";
import { whenAborted } from "../launcher/stop-signals.ts";
import { write } from "../print/print-answer.ts";
import { readLabels } from "./count-answers.ts";
import { countPayments } from "./count-payments.ts";
import { listRuns } from "./list-runs.ts";
import { readSnapshot } from "./snapshot.ts";
import { actAsOperator } from "./operator.ts";
import { prepareFolder } from "./prepare-folder.ts";
import { printSummary } from "./print-summary.ts";
import { Progress } from "./progress.ts";
import { readAgain } from "./read-again.ts";
import { readSamples } from "./read-samples.ts";
import { takeEvenly } from "../take-evenly.ts";
import { sendTraffic } from "./send-traffic.ts";
import type { Sent } from "./send-traffic.ts";
import { summarise } from "./summary.ts";
import type { Summary } from "./summary.ts";
import { watchUntilStill } from "./watch-until-still.ts";

export interface DemoOptions {
  /** End when all is accounted for, instead of keeping the console open. */
  readonly exit: boolean;
  /** File that the summary is written to, as JSON. Default: none. */
  readonly json?: string;
  readonly seed?: number;
  /** Go on with the data of the last demo. Default: a fresh folder. */
  readonly keep: boolean;
  readonly processes?: number;
  /** Tasks to send at most. Default: every sample. */
  readonly tasks?: number;
  /** Time for the traffic to come to rest, in seconds. */
  readonly within: number;
}

const say = write;

/**
 * Shows the whole of Suture on this machine: starts everything, sends the teams' samples, lets the surgeon and a person
 * work, and adds up what happened.
 *
 * @throws {DemoFailedError} Something is lost, was paid twice, or does not come to rest.
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const overrides = await prepareFolder(options, say);
  const launch = {
    overrides,
    isFlexible: true,
    say,
    ...(options.processes === undefined ? {} : { processes: options.processes }),
  };
  await keepLaunched(launch, async (launched, signal) => {
    const store = openStore(launched.config, launched.redisUrl);
    try {
      const show = play({ options, launched, store, signal });
      const summary = await Promise.race([show, launched.failed]);
      write(printSummary(summary).trimEnd());
      if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(summary, null, 2)}\n`);
      judge(summary);
    } finally {
      await store.close();
    }
    if (options.exit) return;
    say(
      launched.loginLink === null
        ? "Everything keeps running. Ctrl+C ends it."
        : `The console stays open: ${launched.loginLink}`,
    );
    await Promise.race([whenAborted(signal), launched.failed]);
  });
}

interface DemoRun {
  readonly options: DemoOptions;
  readonly launched: Launched;
  readonly store: Store;
  readonly signal: AbortSignal;
}

async function play({ options, launched, store, signal }: DemoRun): Promise<Summary> {
  const { config } = launched;
  const key = launched.key.secret.reveal();
  const gateway: Api = { service: "gateway", url: launched.gatewayUrl, key };
  const console: Api | null =
    launched.consoleUrl === null ? null : { service: "console", url: launched.consoleUrl, key };
  const all = readSamples(config.teamsDir, await loadTeams(config.teamsDir));
  const [tasks, messages] = ["task", "message"].map((kind) => all.filter((one) => one.kind === kind));
  const samples = [...takeEvenly(tasks ?? [], options.tasks), ...(messages ?? [])];
  const progress = new Progress();
  const sent: Sent[] = [];
  let isSent = false;
  const watch = { gateway, store, progress, signal, withinMs: options.within * 1000, isSent: () => isSent };
  const total = (): number => Math.max(samples.length, sent.length);
  progress.say(`Sending ${samples.length} samples through the gateway.`);
  const traffic = sendTraffic({ samples, gateway, signal, onSent: (one) => sent.push(one) }).then(
    () => (isSent = true),
  );
  await Promise.all([traffic, watchUntilStill({ ...watch, total })]);
  const released = await actAsOperator({ console, store, sent, progress, signal });
  if (released > 0) await watchUntilStill({ ...watch, total });
  return readAgain(
    () => gather({ launched, gateway, store, sent, signal, seconds: progress.seconds }),
    signal,
  );
}

interface Played {
  readonly launched: Launched;
  readonly gateway: Api;
  readonly store: Store;
  readonly sent: readonly Sent[];
  readonly seconds: number;
  readonly signal: AbortSignal;
}

async function gather({ launched, gateway, store, sent, seconds, signal }: Played): Promise<Summary> {
  const { config } = launched;
  const declared = await loadTeams(config.teamsDir);
  const last = await readSnapshot({ gateway, store });
  if (last === null) throw new DemoFailedError("the gateway does not answer at the end");
  return summarise({
    store,
    stats: last.stats,
    runs: await listRuns(gateway, signal),
    declared,
    labels: readLabels(config.teamsDir, declared),
    sent,
    payments: await countPayments(launched.rehearsalUrl),
    seconds,
    rehearsal: config.isRehearsal,
    seed: config.rehearsalSeed,
  });
}

function judge({ lost, payments }: Summary): void {
  if (lost > 0) throw new DemoFailedError(`${lost} tasks are lost`);
  const twice = payments?.paid_twice ?? [];
  if (twice.length > 0) throw new DemoFailedError(`orders were paid back twice: ${twice.join(", ")}`);
}
