import type { FailureClass } from "#shared/errors";
import type { Context } from "#shared/runtime";
import type { Branches } from "../join.ts";
import { attempt } from "./attempt.ts";
import type { AttemptOptions, StepFailure } from "./attempt.ts";

/** A value with the failure that made it a default; null otherwise. */
export interface Defaulted<Value> {
  readonly value: Value;
  readonly failure: StepFailure | null;
}

/**
 * Runs a step, and returns the declared default where it fails. Put `failure` into the result, so that its readers
 * know.
 * @throws what `attempt` throws.
 */
export async function orDefault<Value>(
  ctx: Pick<Context, "step" | "signal" | "log">,
  options: AttemptOptions<Value> & { readonly default: Value },
): Promise<Defaulted<Value>> {
  const done = await attempt(ctx, options);
  return done.ok ? { value: done.value, failure: null } : { value: options.default, failure: done.failure };
}

export interface Collected<Works> {
  /** Results of the steps that succeeded. */
  readonly values: { readonly [Step in keyof Works]?: Works[Step] };
  /** Failures of the others, in order. */
  readonly failures: readonly StepFailure[];
}

/**
 * Runs all steps in sequence, and returns every result and every failure.
 * @param works - By step name.
 * @throws what `attempt` throws.
 */
export async function collectFailures<Works extends object>(
  ctx: Pick<Context, "step" | "signal" | "log">,
  works: { readonly [Step in keyof Works]: AttemptOptions<Works[Step]>["work"] },
  options: { readonly classes?: readonly FailureClass[] } = {},
): Promise<Collected<Works>> {
  const values: { [Step in keyof Works]?: Works[Step] } = {};
  const failures: StepFailure[] = [];
  // `Object.keys` loses the type; these are the keys of `works`.
  for (const step of Object.keys(works) as (keyof Works & string)[]) {
    const done = await attempt(ctx, { ...options, step, work: works[step] });
    if (done.ok) values[step] = done.value;
    else failures.push(done.failure);
  }
  return { values, failures };
}

/** One branch's value in a fan-out. */
export interface Filled<Value> {
  readonly value: Value;
  /** Why the value is a default; null for a branch's own answer. */
  readonly failure: Branches<Value>["failures"][number] | null;
}

/** Returns one value a branch, in order: its answer, or the declared default. */
export function fillBranches<Value>(
  { total, answers, failures }: Pick<Branches<Value>, "total" | "answers" | "failures">,
  defaultOf: (index: number) => Value,
): Filled<Value>[] {
  return Array.from({ length: total }, (_, index) => {
    const answer = answers.find((one) => one.index === index);
    if (answer !== undefined) return { value: answer.value, failure: null };
    return { value: defaultOf(index), failure: failures.find((one) => one.index === index) ?? null };
  });
}
