import type { Counter, Histogram, Metrics } from "#shared/telemetry";

/** Metrics of an agent process. */
export interface DeliveryMetrics {
  readonly seconds: Histogram;
  readonly failures: Counter;
}

export function measureDeliveries(metrics: Metrics): DeliveryMetrics {
  return {
    seconds: metrics.histogram({
      name: "suture_delivery_seconds",
      help: "Time to handle a delivery, from taking it to its settled outcome.",
      labels: ["agent", "outcome"],
    }),
    failures: metrics.counter({
      name: "suture_delivery_failures_total",
      help: "Failures of deliveries and of the handoffs they made, by class.",
      labels: ["agent", "class"],
    }),
  };
}
