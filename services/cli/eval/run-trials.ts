import type { Contender } from "./cases/contender.ts";
import { expectedOf } from "./cases/contender.ts";
import type { LabelledCase } from "./cases/labelled-case.ts";
import type { Trial } from "./cases/trial.ts";
import type { EvalSystem } from "./open-system.ts";
import { runTrial } from "./run-trial.ts";

export interface TrialsToRun {
  readonly contenders: readonly Contender[];
  readonly cases: readonly LabelledCase[];
  /** Runs at a time. */
  readonly concurrency: number;
  /** USD over all trials. At it no further one begins; those under way are finished. */
  readonly costMax: number;
  /** USD of cost so far that nobody pays. Default: none. */
  readonly saved?: () => number;
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** Called after each trial. */
  readonly onTrial: (trial: Trial) => void;
}

/** Why trials were left out; null: none was. */
export type Stopped = "budget" | "interrupted" | null;

/** Plans each case for each contender that it judges, interleaved, so that a slow minute hits all of them. */
export function planTrials({ cases, contenders }: Pick<TrialsToRun, "cases" | "contenders">) {
  return cases.flatMap((one) =>
    contenders
      .filter((contender) => expectedOf(one, [contender]).size > 0)
      .map((contender) => ({ case: one, contender })),
  );
}

/** Runs all trials, a few at a time. What was done counts, however it ends. */
export async function runTrials(
  system: EvalSystem,
  toRun: TrialsToRun,
): Promise<{ readonly trials: readonly Trial[]; readonly planned: number; readonly stopped: Stopped }> {
  const { concurrency, costMax, saved = () => 0, withinMs, onTrial } = toRun;
  const givingUp = new AbortController();
  const signal = AbortSignal.any([toRun.signal, givingUp.signal]);
  const plan = planTrials(toRun);
  const trials: Trial[] = [];
  let next = 0;
  let cost = 0;
  const work = async (): Promise<void> => {
    for (;;) {
      const one = plan[next];
      const leftUsd = costMax - (cost - saved());
      if (one === undefined || leftUsd <= 0 || signal.aborted) return;
      next += 1;
      const trial = await runTrial(system, { ...one, withinMs, costMax: leftUsd, signal });
      cost += trial.cost;
      trials.push(trial);
      onTrial(trial);
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, plan.length) }, work);
  try {
    await Promise.race([Promise.all(workers), system.failed]);
  } catch (error) {
    // One that failed is no reason to wait for the others.
    givingUp.abort(error);
    await Promise.allSettled(workers);
    if (!toRun.signal.aborted) throw error;
  }
  const isDone = trials.length === plan.length;
  return {
    trials,
    planned: plan.length,
    stopped: isDone ? null : toRun.signal.aborted ? "interrupted" : "budget",
  };
}
