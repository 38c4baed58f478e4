import type { Metrics } from "#shared/telemetry";
import { now } from "#shared/clock";
import type { Failure } from "#shared/errors";
import type { Delivery, DeliveryMetrics } from "./delivery.ts";
import type { CheckedHandoff, Outcome } from "../settle/outcome.ts";

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

/** Logs and measures a settled delivery. The log names failures, without any payload. */
export function reportDelivery(delivery: Delivery): void {
  const { place, outcome, passed, startedMs } = delivery;
  if (passed !== "no" || outcome === null) return;
  const agent = place.agent.name;
  place.metrics?.seconds.observe({ agent, outcome: outcome.kind }, (now() - startedMs) / 1000);
  for (const { failure, to } of failuresOf(outcome)) {
    place.metrics?.failures.add({ agent, class: failure.failure_class });
    place.logger.warn(
      {
        agent: place.agent.id,
        run_id: delivery.hold.runId,
        message_id: delivery.hold.messageId,
        attempt: delivery.attempt,
        class: failure.failure_class,
        code: failure.code,
        ...(to === null ? {} : { to }),
      },
      to === null ? "a delivery failed" : "a handoff goes to the ward",
    );
  }
}

interface Failed {
  readonly failure: Failure;
  /** Receiver of the failed handoff; null if the delivery itself failed. */
  readonly to: string | null;
}

function failuresOf(outcome: Outcome): Failed[] {
  if (outcome.kind === "failed" || outcome.kind === "gave_up")
    return [{ failure: outcome.failure, to: null }];
  return handoffsOf(outcome).flatMap(({ draft, failure }) =>
    failure === null ? [] : [{ failure, to: draft.to }],
  );
}

function handoffsOf(outcome: Outcome): readonly CheckedHandoff[] {
  if (outcome.kind === "handed_off") return outcome.handoffs;
  return outcome.kind === "fanned_out" ? outcome.fanOut.branches : [];
}
