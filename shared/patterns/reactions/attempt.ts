import { PAYLOAD_FAILURES, SutureError } from "#shared/errors";
import type { FailureClass, Severity } from "#shared/errors";
import type { Context } from "#shared/runtime";

/** What went wrong in a step, for a result that people and programs read. No payload, no secret. */
export interface StepFailure {
  readonly step: string;
  readonly class: FailureClass;
  /** Of the error register. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** JSON pointers to what is wrong. */
  readonly paths: readonly string[];
}

export type Attempt<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: StepFailure };

export interface AttemptOptions<Value> {
  /** Names it among the steps of its handler. */
  readonly step: string;
  /** May ask models and record steps of its own. Its result has to be JSON. */
  readonly work: (signal: AbortSignal) => Promise<Value> | Value;
  /** Failures that end the step. Default: those of the payload; the runtime retries the others. */
  readonly classes?: readonly FailureClass[];
}

/**
 * Does a step that may fail without its handler failing. What it came to is recorded, also a failure: a re-run of the
 * handler finds the same, even if the step would succeed by then.
 *
 * What is fatal, of another class, or no error of ours is thrown on, as is everything once the delivery is at its end.
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
      const failure = toStepFailure(step, error);
      ctx.log.warn(
        { step, code: failure.code, failure_class: failure.class },
        "a step failed and is done without",
      );
      return { ok: false, failure };
    }
  });
}

function toStepFailure(step: string, error: SutureError): StepFailure {
  const { failureClass, code, severity, message, paths } = error;
  return { step, class: failureClass, code, severity, message, paths };
}
