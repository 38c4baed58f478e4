import type { FailureClass } from "#shared/errors";
import type { Context } from "#shared/runtime";
import type { Branches } from "../join.ts";
import { attempt } from "./attempt.ts";
import type { AttemptOptions, StepFailure } from "./attempt.ts";

/** A value, and why it is a default; null where it is none. */
export interface Defaulted<Value> {
  readonly value: Value;
  readonly failure: StepFailure | null;
}

/**
 * Does a step, and takes the declared value where it fails: the run goes on with partial data. Put `failure` into the
 * result, so that whoever reads it knows.
 *
 * @throws what `attempt` throws on.
 */
export async function orDefault<Value>(
  ctx: Pick<Context, "step" | "signal" | "log">,
  options: AttemptOptions<Value> & { readonly default: Value },
): Promise<Defaulted<Value>> {
  const done = await attempt(ctx, options);
  return done.ok ? { value: done.value, failure: null } : { value: options.default, failure: done.failure };
}

export interface Collected<Works> {
  /** Of the steps that succeeded. */
  readonly values: { readonly [Step in keyof Works]?: Works[Step] };
  /** Of the others, in their order. */
  readonly failures: readonly StepFailure[];
}

/**
 * Does all steps, one after another, however many fail, and gives all that went wrong at once.
 *
 * @param works - By the step's name.
 * @throws what `attempt` throws on.
 */
export async function collectFailures<Works extends object>(
  ctx: Pick<Context, "step" | "signal" | "log">,
  works: { readonly [Step in keyof Works]: AttemptOptions<Works[Step]>["work"] },
  options: { readonly classes?: readonly FailureClass[] } = {},
): Promise<Collected<Works>> {
  const values: { [Step in keyof Works]?: Works[Step] } = {};
  const failures: StepFailure[] = [];
  // Object.keys loses the type; these are the keys of `works`.
  for (const step of Object.keys(works) as (keyof Works & string)[]) {
    const done = await attempt(ctx, { ...options, step, work: works[step] });
    if (done.ok) values[step] = done.value;
    else failures.push(done.failure);
  }
  return { values, failures };
}

/** One branch's place in a fan-out. */
export interface Filled<Value> {
  readonly value: Value;
  /** Why the value is a default, as the join was told; null where the branch brought it. */
  readonly failure: Branches<Value>["failures"][number] | null;
}

/** Every branch of a fan-out in its order, with the declared value in the place of each that did not come back. */
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
