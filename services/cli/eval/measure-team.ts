import { join } from "node:path";
import { LocalBlobs } from "#shared/blobs";
import type { Config } from "#shared/config";
import { createModelClient, modelSettings } from "#shared/model";
import type { CachingEndpoint } from "./answers/caching-endpoint.ts";
import { judgeTrials } from "./judge/judge-trials.ts";
import type { Judged } from "./judge/judge-trials.ts";
import { openEvalSystem } from "./open-system.ts";
import type { EvalSystem } from "./open-system.ts";
import type { PreparedEval } from "./prepare-eval.ts";
import { Progress } from "./progress.ts";
import { REHEARSAL } from "./report/describe-summary.ts";
import { summarise } from "./report/summarise.ts";
import type { EvalSummary } from "./report/summarise.ts";
import { planTrials, runTrials } from "./run-trials.ts";

export interface TeamToMeasure {
  readonly prepared: PreparedEval;
  readonly seed: number | undefined;
  /** Runs at a time. */
  readonly concurrency: number;
  /** USD that may be paid for it. */
  readonly costMax: number;
  /** Time that one run may take, in ms. */
  readonly withinMs: number;
  /** Keeps answers; null: none are kept. */
  readonly cache: CachingEndpoint | null;
  /** Whether the strong model is asked to judge the results too. */
  readonly isJudged: boolean;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Hears of the running system, so that a second signal can end it at once. */
  readonly onOpen: (system: EvalSystem) => void;
}

const HOUR_MS = 3_600_000;

/** Measures one team and its variants in a system of its own, and adds up what it came to. */
export async function measureTeam(toMeasure: TeamToMeasure): Promise<EvalSummary> {
  const { prepared, seed, concurrency, costMax, withinMs, cache, say, signal } = toMeasure;
  const { team, contenders, cases, files } = prepared;
  const planned = planTrials({ cases, contenders }).length;
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
    toMeasure.onOpen(system);
    const { config } = system;
    await files.keepIn(blobsOf(config), signal);
    if (config.isRehearsal) say(REHEARSAL);
    const progress = new Progress(planned);
    const toRun = { contenders, cases, concurrency, costMax, saved, withinMs, signal };
    const done = await runTrials(system, { ...toRun, onTrial: (trial) => progress.add(trial) });
    const paid = done.trials.reduce((sum, { cost }) => sum + cost, 0) - saved();
    const judge = toMeasure.isJudged
      ? await judgeWith(config, { trials: done.trials, concurrency, costMax: costMax - paid, signal })
      : null;
    const after = cache?.figures();
    const cached =
      after === undefined
        ? null
        : { answers: after.answers - before.answers, hits: after.hits - before.hits, saved: saved() };
    const of = { team, config, seed: seed ?? config.rehearsalSeed, contenders, cases: cases.length };
    return summarise({ ...of, ...done, cached, judge });
  } finally {
    await system.close();
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

/** Where the system's agents look for what a reference names. */
function blobsOf({ dataDir, blobsBytesMax, blobHours }: Config): LocalBlobs {
  return new LocalBlobs(join(dataDir, "blobs"), { bytesMax: blobsBytesMax, ageMsMax: blobHours * HOUR_MS });
}
