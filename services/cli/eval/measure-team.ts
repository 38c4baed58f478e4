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
import type { Judged } from "./judge.ts";
import { planTrials, runTrials } from "./run-trials.ts";
import { summarise } from "./summary.ts";
import { openEvalSystem } from "./system.ts";
import type { EvalSystem } from "./system.ts";
import { isRight } from "./trial.ts";
import type { Contender, Trial } from "./trial.ts";

/** What one team's measurement needs, read and checked before anything starts. */
export interface Prepared extends LabelledSet {
  readonly team: string;
  readonly contenders: readonly Contender[];
}

export interface Measuring {
  /** Of the rehearsal's faults. */
  readonly seed?: number;
  readonly concurrency: number;
  readonly costMax: number;
  /** Seconds. */
  readonly within: number;
  readonly judge: boolean;
  /** Keeps answers; null: none are kept. */
  readonly kept: CachingEndpoint | null;
  readonly signal: AbortSignal;
  /** Hears of the running system, so that a second signal can end it at once. */
  readonly onOpen: (system: EvalSystem) => void;
}

/** Said before the runs and behind the figures. */
export const REHEARSAL =
  "REHEARSAL: stand-ins answered, not a model. These figures show that the machinery works; " +
  "the accuracy means nothing about a model. Set OPENAI_API_KEY or OPENAI_BASE_URL to measure one.";

const PLAIN_EVERY_MS = 5000;
const HOUR_MS = 3_600_000;

/** What a measurement came to; the form of `--json`. */
export type EvalSummary = Awaited<ReturnType<typeof measureTeam>>;

/** Measures one team and its variants in a system of its own, and adds up what it came to. */
export async function measureTeam(prepared: Prepared, options: Measuring) {
  const { team, contenders, cases } = prepared;
  const { seed, concurrency, costMax, kept: cache, signal } = options;
  const planned = planTrials(prepared).length;
  say(`${team}: ${cases.length} cases, ${planned} runs: ${contenders.map(({ name }) => name).join(", ")}.`);
  const before = cache?.figures() ?? { answers: 0, hits: 0, saved: 0 };
  const saved = (): number => (cache?.figures().saved ?? 0) - before.saved;
  const system = await openEvalSystem({
    name: team,
    teams: contenders.map((contender) => contender.team),
    say,
    signal,
    ...(seed === undefined ? {} : { seed }),
    ...(cache === null ? {} : { modelUrl: cache.url }),
  });
  try {
    options.onOpen(system);
    const { config } = system;
    await keepFiles(config, prepared, signal);
    if (config.isRehearsal) say(REHEARSAL);
    const onTrial = showProgress(planned);
    const withinMs = options.within * 1000;
    const toRun = { contenders, cases, concurrency, costMax, saved, withinMs, signal, onTrial };
    const { trials, stopped } = await runTrials(system, toRun);
    const left = costMax - (trials.reduce((sum, { cost }) => sum + cost, 0) - saved());
    const judge = options.judge
      ? await judgeWith(config, { trials, concurrency, costMax: left, signal })
      : null;
    const after = cache?.figures() ?? before;
    const cached = {
      answers: after.answers - before.answers,
      hits: after.hits - before.hits,
      saved: saved(),
    };
    return {
      team,
      rehearsal: config.isRehearsal,
      seed: seed ?? config.rehearsalSeed,
      models: { router: config.modelRouter, worker: config.modelWorker, surgeon: config.modelSurgeon },
      cases: cases.length,
      trials: { planned, done: trials.length },
      stopped,
      ...summarise(contenders, trials),
      cached: cache === null ? null : cached,
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

async function judgeWith(
  config: Config,
  toJudge: Omit<Parameters<typeof judgeTrials>[0], "model">,
): Promise<Judged> {
  const model = createModelClient(modelSettings(config));
  try {
    return await judgeTrials({ ...toJudge, model });
  } finally {
    model.close();
  }
}

/** Prints how far a measurement is, on standard error, after each trial. */
function showProgress(planned: number): (trial: Trial) => void {
  const text = new LiveText(process.stderr, PLAIN_EVERY_MS);
  const counts = { done: 0, right: 0, failed: 0, cost: 0 };
  return (trial) => {
    counts.done += 1;
    counts.right += Number(isRight(trial));
    counts.failed += Number(trial.failure !== null);
    counts.cost += trial.cost;
    const { done, right, failed, cost } = counts;
    const line = `${done} of ${planned} runs, ${right} right, ${failed} failed, ${cost.toFixed(4)} USD`;
    text.show([line], line, done === planned);
  };
}
