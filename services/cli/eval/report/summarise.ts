import type { Config } from "#shared/config";
import type { Contender } from "../cases/contender.ts";
import type { CacheFigures } from "../answers/caching-endpoint.ts";
import type { Judged } from "../judge/judge-trials.ts";
import type { Trial } from "../cases/trial.ts";
import type { Stopped } from "../run-trials.ts";
import { compare } from "./compare.ts";
import type { Comparison } from "./compare.ts";
import { measure } from "./measured.ts";
import type { Measured } from "./measured.ts";

/** What a measurement came to; the form of `--json`. */
export interface EvalSummary {
  readonly team: string;
  /** True: stand-ins answered, so that accuracy is not a model's. */
  readonly rehearsal: boolean;
  readonly seed: number;
  readonly models: { readonly router: string; readonly worker: string; readonly surgeon: string };
  /** Labelled cases that were taken. */
  readonly cases: number;
  readonly trials: { readonly planned: number; readonly done: number };
  /** Why trials were left out; null: none was. */
  readonly stopped: Stopped;
  readonly contenders: readonly Measured[];
  readonly comparisons: readonly Comparison[];
  /** Null where no answers are kept. */
  readonly cached: CacheFigures | null;
  /** Null where no model was asked to judge. */
  readonly judge: Judged | null;
}

export interface Done {
  readonly team: string;
  readonly config: Config;
  readonly seed: number;
  readonly contenders: readonly Contender[];
  readonly cases: number;
  readonly trials: readonly Trial[];
  readonly planned: number;
  readonly stopped: Stopped;
  readonly cached: CacheFigures | null;
  readonly judge: Judged | null;
}

/** Pure. Trials come as they ended; what is made of them does not depend on that order. */
export function summarise({ config, contenders, planned, ...done }: Done): EvalSummary {
  const { modelRouter, modelWorker, modelSurgeon } = config;
  const trials = done.trials.toSorted((a, b) => (a.case.id < b.case.id ? -1 : a.case.id > b.case.id ? 1 : 0));
  return {
    team: done.team,
    rehearsal: config.isRehearsal,
    seed: done.seed,
    models: { router: modelRouter, worker: modelWorker, surgeon: modelSurgeon },
    cases: done.cases,
    trials: { planned, done: trials.length },
    stopped: done.stopped,
    contenders: contenders.map((contender) =>
      measure(
        contender,
        trials.filter((trial) => trial.contender === contender),
      ),
    ),
    comparisons: contenders.flatMap((contender) => {
      const other = contenders.find(({ name }) => name === contender.against);
      return other === undefined ? [] : [compare([contender, other], trials)];
    }),
    cached: done.cached,
    judge: done.judge,
  };
}
