import { now } from "#shared/clock";
import { childIdOf } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import type { Failure } from "#shared/errors";
import { Concealer, maskForTeam, scalarsIn } from "#shared/masking";
import {
  ATTRIBUTES,
  isTracing,
  markFailed,
  messagingAttributes,
  startSpan,
  traceparentOf,
  withSpan,
} from "#shared/telemetry";
import type { Metrics } from "#shared/telemetry";
import type { CheckedHandoff, Outcome, Delivery, DeliveryMetrics, FailedWork, Message } from "./delivery.ts";

/** Maximum outputs listed in a span. */
const OUTPUTS_MAX = 64;

/** Runs the steps of a delivery in its consumer span, a child of the sender's span. */
export function traced(
  delivery: Delivery,
  steps: (delivery: Delivery) => Promise<Delivery>,
): Promise<Delivery> {
  const { agent, team } = delivery.place;
  const meta = delivery.message?.envelope.meta;
  if (!isTracing()) return steps({ ...delivery, traceparent: meta?.traceparent ?? "" });
  return withSpan(
    `process ${delivery.hold.queue}`,
    {
      kind: "consumer",
      parent: meta?.traceparent ?? null,
      attributes: {
        ...messagingAttributes("process", delivery.hold.queue),
        [ATTRIBUTES.messageId]: delivery.hold.messageId,
        [ATTRIBUTES.runId]: delivery.hold.runId,
        [ATTRIBUTES.agent]: agent.name,
        [ATTRIBUTES.agentVersion]: String(agent.version),
        [ATTRIBUTES.team]: team.name,
        [ATTRIBUTES.deliveries]: delivery.attempt,
        [ATTRIBUTES.hops]: meta?.hop_count ?? 0,
        ...inputOf(delivery),
      },
    },
    async (span) => {
      const settled = await steps({ ...delivery, traceparent: traceparentOf(span) });
      const { cost, tokens } = settled.spent.since(settled.record.billed);
      span.setAttributes({
        [ATTRIBUTES.outcome]: settled.outcome?.kind ?? settled.passed,
        [ATTRIBUTES.outputs]: outputsOf(settled),
        [ATTRIBUTES.tokens]: tokens,
        [ATTRIBUTES.costUsd]: cost,
      });
      if (settled.outcome?.kind === "failed") {
        const { failure } = settled.outcome;
        span.setAttribute(ATTRIBUTES.failureClass, failure.failure_class);
        markFailed(
          span,
          new SutureError({
            code: failure.code,
            failureClass: failure.failure_class,
            message: failure.code,
            remedy: failure.remedy,
          }),
        );
      }
      return settled;
    },
  );
}

/** Returns the step's input by reference, and its queueing time; nothing of an unverified message. */
function inputOf({ message, startedMs }: Delivery): Record<string, string | number> {
  if (message === null) return {};
  const { meta } = message.envelope;
  return {
    [ATTRIBUTES.contract]: meta.contract,
    [ATTRIBUTES.handoffType]: meta.handoff_type,
    [ATTRIBUTES.inputDigest]: message.digest,
    [ATTRIBUTES.waitedMs]: Math.max(0, startedMs - Date.parse(meta.timestamp)),
  };
}

/** Returns references to the step's outputs, as its run knows them; limited for a large fan-out. */
function outputsOf({ outcome, hold, place }: Delivery): string[] {
  if (outcome?.kind === "completed") return [`run:${hold.runId}/result`];
  return receiversOf(outcome)
    .slice(0, OUTPUTS_MAX)
    .map((to, index) => childIdOf(hold.messageId, { from: place.agent.name, to, index }));
}

/** In the order in which they are sealed: the message that waits for branches comes last. */
function receiversOf(outcome: Outcome | null): string[] {
  if (outcome === null) return [];
  const receivers = handoffsOf(outcome).map(({ draft }) => draft.to);
  return outcome.kind === "fanned_out" ? [...receivers, outcome.fanOut.join.to] : receivers;
}

/** Returns the trace context of a handoff's producer span, for its envelope, so that queueing time is visible. */
export function traceparentOfSend({
  to,
  parent,
  messageId,
}: {
  readonly to: string;
  readonly parent: string;
  readonly messageId: () => string;
}): string {
  if (!isTracing()) return parent;
  const span = startSpan(`send ${to}`, {
    kind: "producer",
    parent,
    attributes: { ...messagingAttributes("send", to), [ATTRIBUTES.messageId]: messageId() },
  });
  span.end();
  return traceparentOf(span);
}

export function measureDeliveries(metrics: Metrics): DeliveryMetrics {
  return {
    seconds: metrics.histogram(
      "suture_delivery_seconds",
      "Time to handle a delivery, from taking it to its settled outcome.",
      ["agent", "outcome"],
    ),
    failures: metrics.counter(
      "suture_delivery_failures_total",
      "Failures of deliveries and of the handoffs they made, by class.",
      ["agent", "class"],
    ),
    waits: metrics.histogram(
      "suture_wait_seconds",
      "Time from a message's seal to its first delivery: what it waited in its queue.",
      ["agent"],
    ),
    runs: metrics.histogram(
      "suture_run_seconds",
      "Time from a run's acceptance to its result, of runs that completed.",
      ["team"],
    ),
    duplicates: metrics.counter(
      "suture_duplicates_total",
      "Deliveries of messages that were settled before; nothing ran again.",
      ["agent"],
    ),
    fenced: metrics.counter(
      "suture_fenced_writes_total",
      "Outcomes that were refused, because another worker has the message.",
      ["agent"],
    ),
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
  const { place, outcome, passed, startedMs, hold, attempt, message } = delivery;
  const agent = place.agent.name;
  if (passed === "replayed") place.metrics?.duplicates.add({ agent });
  if (passed !== "no" || outcome === null) return;
  if (message !== null && attempt === 1) {
    const waitedMs = startedMs - Date.parse(message.envelope.meta.timestamp);
    place.metrics?.waits.observe({ agent }, Math.max(0, waitedMs) / 1000);
  }
  if (outcome.kind === "completed") {
    // A run's id is a UUIDv7, which begins with the time of its making.
    const acceptedMs = Number.parseInt(hold.runId.replace("-", "").slice(0, 12), 16);
    place.metrics?.runs.observe({ team: place.team.name }, Math.max(0, now() - acceptedMs) / 1000);
  }
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
        reason: withoutPayload(failure.message, message),
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

/** Hides in an error's message its quotations and the payload's values as they stand; not parts or other spellings. */
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

/** Returns the handoffs of an outcome, without the one that waits for branches. */
export function handoffsOf(outcome: Outcome): readonly CheckedHandoff[] {
  if (outcome.kind === "handed_off") return outcome.handoffs;
  return outcome.kind === "fanned_out" ? outcome.fanOut.branches : [];
}
