import { PAYLOAD_FAILURES, SutureError } from "#shared/errors";
import type { FailureClass, Severity } from "#shared/errors";
import type { Context } from "#shared/runtime";
import type { Branches } from "../fan-out.ts";

/** A value with the failure that made it a default; null otherwise. */
export interface Defaulted<Value> {
  readonly value: Value;
  readonly failure: StepFailure | null;
}

/** Runs a step; returns the default, with `failure` for the result, where it fails. @throws what `attempt` throws. */
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

/** Runs all steps in sequence; returns results and failures by step name. @throws what `attempt` throws. */
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
  /** Failure for which the value is a default. Null: it is the branch's own answer. */
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

/** Failure of a step, for results. Holds no payload and no secret. */
export interface StepFailure {
  readonly step: string;
  readonly class: FailureClass;
  /** Code of the error reference. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** JSON pointers to the faults. */
  readonly paths: readonly string[];
}

export type Attempt<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: StepFailure };

export interface AttemptOptions<Value> {
  /** Step name in the handler. */
  readonly step: string;
  /** Does the work. May call models and record steps of its own. Its result has to be JSON. */
  readonly work: (signal: AbortSignal) => Promise<Value> | Value;
  /** Failure classes that are recorded as the result. Default: those of the payload, which no redelivery mends. */
  readonly classes?: readonly FailureClass[];
}

/**
 * Runs a step that may fail without failing its handler. Records the result or the failure; a re-run of the handler
 * gets the same. Rethrows fatal errors, other classes, foreign errors, and everything once the delivery is aborted.
 */
export async function attempt<Value>(
  ctx: Pick<Context, "step" | "signal" | "log">,
  { step, work, classes = PAYLOAD_FAILURES }: AttemptOptions<Value>,
): Promise<Attempt<Value>> {
  return ctx.step<Attempt<Value>>(step, async (signal) => {
    try {
      return { ok: true, value: await work(signal) };
    } catch (error) {
      if (ctx.signal.aborted || !(error instanceof SutureError)) throw error;
      if (error.severity === "fatal" || !classes.includes(error.failureClass)) throw error;
      const { failureClass, code, severity, message, paths } = error;
      const failure = { step, class: failureClass, code, severity, message, paths };
      ctx.log.warn(
        { step, code: failure.code, failure_class: failure.class },
        "a step failed and is done without",
      );
      return { ok: false, failure };
    }
  });
}
