import { SutureError } from "#shared/errors";

/** A metric was declared or used in a way that Prometheus could not read: a caller's bug, seen at start. */
export class MetricMisuseError extends SutureError {
  constructor(metric: string, problem: string) {
    super({
      code: "METRIC_MISUSE",
      failureClass: "handler_error",
      severity: "fatal",
      message: `Metric ${metric.slice(0, 100)} ${problem}.`,
      remedy: "Correct the call that declares or changes this metric.",
    });
  }
}
