import { PAYLOAD_FAILURES, SutureError } from "#shared/errors";
import type { FailureClass, Severity } from "#shared/errors";
import type { Context } from "#shared/runtime";

/** Why a step failed, for results. Holds no payload and no secret. */
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
