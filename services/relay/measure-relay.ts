import type { Counter, Histogram, Metrics } from "#shared/telemetry";

/** Metrics of a relay process. */
export interface RelayMetrics {
  readonly delivered: Counter;
  readonly refused: Counter;
  readonly seconds: Histogram;
}

export function measureRelay(metrics: Metrics): RelayMetrics {
  return {
    delivered: metrics.counter({
      name: "suture_relay_delivered_total",
      help: "Outbox entries of isolated agents that were verified and delivered, by agent.",
      labels: ["agent"],
    }),
    refused: metrics.counter({
      name: "suture_relay_refused_total",
      help: "What isolated agents asked for and may not do, by agent and reason. Above 0: look at the agent's process.",
      labels: ["agent", "reason"],
    }),
    seconds: metrics.histogram({
      name: "suture_relay_seconds",
      help: "Time from reading an outbox entry to its delivery.",
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10],
    }),
  };
}
