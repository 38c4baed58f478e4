import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomHex, whenAborted } from "#shared/clock";
import { loadConfig } from "#shared/config";
import type { ConfigOverrides } from "#shared/config";
import { loadTeams } from "#shared/runtime/process";
import type { Store } from "#shared/store";
import { AlreadyRunningError, DemoFailedError } from "../errors.ts";
import type { Api } from "../http/call-api.ts";
import { persistently } from "../http/persist.ts";
import { findRunning } from "../launcher/run-file.ts";
import { keepLaunched } from "../launcher/launch.ts";
import type { Launched } from "../launcher/launch.ts";
import { endLeftRedis, isSet, openStore, separateSettings } from "../launcher/separate-system.ts";
import { write as say } from "../print/print-answer.ts";
import { takeEvenly } from "../take-evenly.ts";
import { actAsOperator } from "./operator.ts";
import { readSamples, sendTraffic } from "./samples.ts";
import type { Sent } from "./samples.ts";
import { printSummary, summarise } from "./summary.ts";
import type { PlayedSummary } from "./summary.ts";
import { Progress, readSnapshot, watchUntilStill } from "./watch-traffic.ts";

/** Time before a message whose tool was away goes on as it stands, in ms. */
const RESEND_MS = 1500;

export interface DemoOptions {
  /** End when all is accounted for, instead of keeping the console open. */
  readonly exit: boolean;
  /** File that the summary is written to, as JSON. Default: none. */
  readonly json?: string;
  readonly seed?: number;
  readonly processes?: number;
  /** Tasks to send at most. Default: every sample. */
  readonly tasks?: number;
  /** Time for the traffic to come to rest, in seconds. */
  readonly within: number;
}

/**
 * Starts everything, sends the teams' samples, lets the surgeon and a person work, and adds up what happened.
 * @throws {DemoFailedError} Something is lost, was paid twice, or does not come to rest.
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { processes } = options;
  const launch = { overrides: await prepareFolder(options), isFlexible: true, say, processes };
  await keepLaunched(launch, async (launched, signal) => {
    const store = openStore(launched.config, launched.redisUrl);
    try {
      const summary = await Promise.race([play({ options, launched, store, signal }), launched.failed]);
      say(printSummary(summary));
      if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(summary, null, 2)}\n`);
      const { lost, payments } = summary;
      if (lost > 0) throw new DemoFailedError(`${lost} tasks are lost`);
      const twice = payments?.paid_twice ?? [];
      if (twice.length > 0) throw new DemoFailedError(`orders were paid back twice: ${twice.join(", ")}`);
    } finally {
      await store.close();
    }
    if (options.exit) return;
    say(`The console stays open: ${launched.loginLink}`);
    await Promise.race([whenAborted(signal), launched.failed]);
  });
}

/** Empties the demo's own folder; returns its settings. @throws {AlreadyRunningError} Another demo works there. */
async function prepareFolder(options: DemoOptions): Promise<ConfigOverrides> {
  const config = loadConfig();
  const dataDir = join(config.dataDir, "demo");
  const running = findRunning(dataDir);
  if (running !== null) throw new AlreadyRunningError({ pid: running.pid, dataDir });
  await endLeftRedis(dataDir, say);
  rmSync(dataDir, { recursive: true, force: true });
  say(`The demo's data folder is ${dataDir}, made new.`);
  const prefix = `demo-${randomHex(6)}`;
  return {
    ...separateSettings(config, { ...options, dataDir, prefix }),
    // Nobody watches a demo for the minutes that a sick tool may take to come back.
    SUTURE_SURGEON_RESEND_MS: String(RESEND_MS),
    // People who try it kill its Redis too, and on a slow disk `fast` then loses what it has acknowledged.
    ...(isSet("SUTURE_REDIS_DURABILITY") ? {} : { SUTURE_REDIS_DURABILITY: "durable" }),
  };
}

interface DemoRun {
  readonly options: DemoOptions;
  readonly launched: Launched;
  readonly store: Store;
  readonly signal: AbortSignal;
}

async function play({ options, launched, store, signal }: DemoRun): Promise<PlayedSummary> {
  const { config, consoleUrl, gatewayUrl, rehearsalUrl: sandboxUrl } = launched;
  const key = launched.key.secret.reveal();
  const gateway: Api = { service: "gateway", url: gatewayUrl, key };
  const console: Api = { service: "console", url: consoleUrl, key };
  const declared = await loadTeams(config.teamsDir);
  const all = readSamples(config.teamsDir, declared);
  const tasks = all.filter(({ kind }) => kind === "task");
  const samples = [...takeEvenly(tasks, options.tasks), ...all.filter(({ kind }) => kind === "message")];
  const progress = new Progress();
  const sent: Sent[] = [];
  let isSent = false;
  const watch = { gateway, store, progress, signal, withinMs: options.within * 1000, isSent: () => isSent };
  const total = (): number => Math.max(samples.length, sent.length);
  say(`Sending ${samples.length} samples through the gateway.`);
  const traffic = sendTraffic({ samples, gateway, signal, onSent: (one) => sent.push(one) }).then(
    () => (isSent = true),
  );
  await Promise.all([traffic, watchUntilStill({ ...watch, total })]);
  const released = await actAsOperator({ console, store, sent, signal });
  if (released > 0) await watchUntilStill({ ...watch, total });
  const { seconds } = progress;
  const summary = await persistently(async () => {
    const last = await readSnapshot({ gateway, store });
    if (last === null) throw new DemoFailedError("the gateway does not answer at the end");
    return summarise({ store, gateway, stats: last.stats, declared, sent, sandboxUrl, signal });
  }, signal);
  return {
    ...summary,
    seconds: Math.round(seconds * 10) / 10,
    rehearsal: config.isRehearsal,
    seed: config.rehearsalSeed,
  };
}
