import type { Counter, Histogram, Metrics } from "#shared/telemetry";

/** Metrics of a surgeon's process. */
export interface SurgeryMetrics {
  readonly seconds: Histogram;
  readonly repairs: Counter;
}

export function measureSurgery(metrics: Metrics): SurgeryMetrics {
  return {
    seconds: metrics.histogram({
      name: "suture_surgery_seconds",
      help: "Time of one stay of a case with the surgeon, by what became of it.",
      labels: ["outcome"],
    }),
    repairs: metrics.counter({
      name: "suture_repairs_total",
      help: "Repairs that were proved and sent, by the agent they went to and the procedure that made them.",
      labels: ["agent", "procedure"],
    }),
  };
}
