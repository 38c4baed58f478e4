import { errorClass } from "#shared/errors";

/** A metric was declared or used in a way that Prometheus could not read: a caller's bug, seen at start. */
export const MetricMisuseError = errorClass("METRIC_MISUSE", (metric: string, problem: string) => ({
  failureClass: "handler_error",
  severity: "fatal",
  message: `Metric ${metric.slice(0, 100)} ${problem}.`,
  remedy: "Correct the call that declares or changes this metric.",
}));
