import { join } from "node:path";
import { Readable } from "node:stream";
import { LocalBlobs } from "#shared/blobs";
import type { Config } from "#shared/config";
import { createModelClient, modelSettings } from "#shared/model";
import { LiveText } from "../print/live-text.ts";
import { writeError as say } from "../print/print-answer.ts";
import type { CachingEndpoint } from "./answers.ts";
import type { LabelledSet } from "./cases.ts";
import { judgeTrials } from "./judge.ts";
import { planTrials, runTrials } from "./run-trials.ts";
import { openEvalSystem } from "./system.ts";
import type { EvalSystem } from "./system.ts";
import { isRight, summarise } from "./trial.ts";
import type { Contender, Trial } from "./trial.ts";

/** Said before the runs and behind the figures. */
export const REHEARSAL =
  "REHEARSAL: stand-ins answered, not a model. These figures show that the machinery works; " +
  "the accuracy means nothing about a model. Set OPENAI_API_KEY or OPENAI_BASE_URL to measure one.";

const PLAIN_EVERY_MS = 5000;
const HOUR_MS = 3_600_000;

export interface EvalOptions {
  /** Names of the contenders. Default: all. */
  readonly variant?: readonly string[];
  /** Cases to take at most, at even steps. Default: all. */
  readonly limit?: number;
  /** Runs at a time. */
  readonly concurrency: number;
  /** Of the rehearsal's faults. Default: the configured seed. */
  readonly seed?: number;
  /** File that the summary is written to, as JSON: of one team an object, of several a list. Default: none. */
  readonly json?: string;
  /** Folder in which the endpoint's answers are kept, so that a repeat costs nothing. Default: none are kept. */
  readonly cache?: string;
  /** Ask the strong model to judge the results too. */
  readonly judge: boolean;
  /** USD over all runs and verdicts at which no further one begins. */
  readonly costMax: number;
  /** Seconds that one run may take. */
  readonly within: number;
}

/** What one team's measurement needs, read and checked before anything starts. */
export interface Prepared extends LabelledSet {
  readonly team: string;
  readonly contenders: readonly Contender[];
}

interface Measuring extends EvalOptions {
  readonly kept: CachingEndpoint | null;
  readonly signal: AbortSignal;
  /** Hears of the running system, so that a second signal can end it at once. */
  readonly onOpen: (system: EvalSystem) => void;
}

/** What a measurement came to; the form of `--json`. */
export type EvalSummary = Awaited<ReturnType<typeof measureTeam>>;

/** Measures one team and its variants in a system of its own, and adds up what it came to. */
export async function measureTeam(prepared: Prepared, options: Measuring) {
  const { team, contenders, cases } = prepared;
  const { seed, concurrency, costMax, kept: cache, signal } = options;
  const plan = planTrials(prepared);
  say(
    `${team}: ${cases.length} cases, ${plan.length} runs: ${contenders.map(({ name }) => name).join(", ")}.`,
  );
  cache?.beginCount();
  const saved = (): number => cache?.figures.saved ?? 0;
  const teams = contenders.map((contender) => contender.team);
  const system = await openEvalSystem({ name: team, teams, say, signal, seed, modelUrl: cache?.url });
  try {
    options.onOpen(system);
    const { config } = system;
    await keepFiles(config, prepared, signal);
    if (config.isRehearsal) say(REHEARSAL);
    const onTrial = showProgress(plan.length);
    const withinMs = options.within * 1000;
    const toRun = { plan, concurrency, costMax, saved, withinMs, signal, onTrial };
    const { trials, stopped } = await runTrials(system, toRun);
    const left = costMax - (trials.reduce((sum, { cost }) => sum + cost, 0) - saved());
    const model = options.judge ? createModelClient(modelSettings(config)) : null;
    const judge =
      model === null
        ? null
        : await judgeTrials({ trials, model, concurrency, costMax: left, signal }).finally(() =>
            model.close(),
          );
    return {
      team,
      rehearsal: config.isRehearsal,
      seed: seed ?? config.rehearsalSeed,
      models: { router: config.modelRouter, worker: config.modelWorker, surgeon: config.modelSurgeon },
      cases: cases.length,
      trials: { planned: plan.length, done: trials.length },
      stopped,
      ...summarise(contenders, trials),
      cached: cache === null ? null : { ...cache.figures },
      judge,
    };
  } finally {
    await system.close();
  }
}

/** Stores what cases name where the system's agents look for it. */
async function keepFiles(config: Config, { files }: LabelledSet, signal: AbortSignal): Promise<void> {
  const limits = { bytesMax: config.blobsBytesMax, ageMsMax: config.blobHours * HOUR_MS };
  const blobs = new LocalBlobs(join(config.dataDir, "blobs"), limits);
  for (const bytes of files.values()) {
    const content = Readable.from(Buffer.from(bytes), { objectMode: false });
    await blobs.store({ content, mimeType: "application/octet-stream", bytesMax: bytes.length, signal });
  }
}

/** Prints how far a measurement is, on standard error, after each trial. */
function showProgress(planned: number): (trial: Trial) => void {
  const text = new LiveText(process.stderr, PLAIN_EVERY_MS);
  const trials: Trial[] = [];
  return (trial) => {
    const done = trials.push(trial);
    const right = trials.filter((one) => isRight(one)).length;
    const failed = trials.filter(({ failure }) => failure !== null).length;
    const cost = trials.reduce((sum, one) => sum + one.cost, 0);
    const line = `${done} of ${planned} runs, ${right} right, ${failed} failed, ${cost.toFixed(4)} USD`;
    text.show([line], line, done === planned);
  };
}
