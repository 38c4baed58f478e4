import type { Metrics } from "#shared/telemetry";
import type { TraceOptions } from "./trace-requests.ts";

/** Counts and times answered requests by route. */
export function timeRequests(metrics: Metrics): NonNullable<TraceOptions["onAnswered"]> {
  const seconds = metrics.histogram({
    name: "suture_http_request_seconds",
    help: "Time to answer a request.",
    labels: ["method", "route", "status"],
  });
  return (facts, elapsedMs) => seconds.observe({ ...facts }, elapsedMs / 1000);
}
