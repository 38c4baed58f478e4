import type { Metrics } from "#shared/telemetry";
import { now } from "#shared/clock";
import type { Failure } from "#shared/errors";
import { Concealer, maskForTeam, scalarsIn } from "#shared/masking";
import type { Delivery, DeliveryMetrics, FailedWork, Message } from "./delivery.ts";
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

/** Passes on the failures of a delivery before they are settled. */
export function passOnFailures(
  { outcome, hold, attempt }: Delivery,
  onFailure: (failed: FailedWork) => void,
): void {
  for (const { failure } of outcome === null ? [] : failuresOf(outcome))
    onFailure({ runId: hold.runId, messageId: hold.messageId, attempt, failure });
}

/** Logs and measures a settled delivery. The log names failures, without values of the payload as they stand. */
export function reportDelivery(delivery: Delivery): void {
  const { place, outcome, passed, startedMs, hold, attempt } = delivery;
  if (passed !== "no" || outcome === null) return;
  const agent = place.agent.name;
  place.metrics?.seconds.observe({ agent, outcome: outcome.kind }, (now() - startedMs) / 1000);
  for (const { failure, to } of failuresOf(outcome)) {
    place.metrics?.failures.add({ agent, class: failure.failure_class });
    place.logger.warn(
      {
        agent: place.agent.id,
        run_id: hold.runId,
        message_id: hold.messageId,
        attempt,
        class: failure.failure_class,
        code: failure.code,
        reason: withoutPayload(failure.message, delivery.message),
        step: failure.step,
        paths: maskForTeam(place.team).paths(failure.issues.map(({ path }) => path)),
        stack: failure.stack ?? [],
        ...(to === null ? {} : { to }),
      },
      to === null ? "a delivery failed" : "a handoff goes to the ward",
    );
  }
}

const HIDDEN_VALUE = "[hidden]";

/**
 * Hides in an error's message what it quotes and every value of the handled payload as it stands, whatever the
 * contract marks. A part of a value, or another spelling of it, stays.
 */
function withoutPayload(text: string, message: Message | null): string {
  const unquoted = text.replaceAll(/"[^"]*"?/g, `"${HIDDEN_VALUE}"`);
  if (message === null) return unquoted;
  const values = scalarsIn(message.envelope.data_payload);
  return new Concealer(values, () => HIDDEN_VALUE).inText(unquoted);
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
