import {
  ATTRIBUTES,
  isTracing,
  markFailed,
  MESSAGING_SYSTEM,
  startSpan,
  traceparentOf,
  withSpan,
} from "#shared/telemetry";
import { SutureError } from "#shared/errors";
import type { Delivery } from "./delivery.ts";

/** Runs the steps of a delivery inside its consumer span: child of what the sender's envelope says. */
export function traced(
  delivery: Delivery,
  steps: (delivery: Delivery) => Promise<Delivery>,
): Promise<Delivery> {
  const { agent, team } = delivery.place;
  const meta = delivery.letter?.envelope.meta;
  if (!isTracing()) return steps({ ...delivery, traceparent: meta?.traceparent ?? "" });
  return withSpan(
    `process ${delivery.hold.queue}`,
    {
      kind: "consumer",
      parent: meta?.traceparent ?? null,
      attributes: {
        [ATTRIBUTES.messagingSystem]: MESSAGING_SYSTEM,
        [ATTRIBUTES.messagingDestination]: delivery.hold.queue,
        [ATTRIBUTES.messagingOperationType]: "process",
        [ATTRIBUTES.messageId]: delivery.hold.messageId,
        [ATTRIBUTES.runId]: delivery.hold.runId,
        [ATTRIBUTES.agent]: agent.name,
        [ATTRIBUTES.agentVersion]: String(agent.version),
        [ATTRIBUTES.team]: team.name,
        [ATTRIBUTES.deliveries]: delivery.attempt,
        [ATTRIBUTES.hops]: meta?.hop_count ?? 0,
      },
    },
    async (span) => {
      const settled = await steps({ ...delivery, traceparent: traceparentOf(span) });
      span.setAttribute(ATTRIBUTES.outcome, settled.outcome?.kind ?? settled.passed);
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

/** The producer span of one handoff, as its envelope carries it: the gap between two agents is seen from here. */
export function traceparentOfSend(to: string, parent: string): string {
  if (!isTracing()) return parent;
  const span = startSpan(`send ${to}`, {
    kind: "producer",
    parent,
    attributes: {
      [ATTRIBUTES.messagingSystem]: MESSAGING_SYSTEM,
      [ATTRIBUTES.messagingDestination]: to,
      [ATTRIBUTES.messagingOperationType]: "send",
    },
  });
  span.end();
  return traceparentOf(span);
}
