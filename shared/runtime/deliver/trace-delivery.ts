import { childIdOf } from "#shared/envelope";
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
import type { Outcome } from "../settle/outcome.ts";

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
        [ATTRIBUTES.messagingSystem]: MESSAGING_SYSTEM,
        [ATTRIBUTES.messagingDestination]: delivery.hold.queue,
        [ATTRIBUTES.messagingOperationType]: "process",
        [ATTRIBUTES.messagingOperationName]: "process",
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
  if (outcome?.kind === "handed_off") return outcome.handoffs.map(({ draft }) => draft.to);
  if (outcome?.kind !== "fanned_out") return [];
  return [...outcome.fanOut.branches.map(({ draft }) => draft.to), outcome.fanOut.join.to];
}

/**
 * Returns the trace context of one handoff's producer span, as its envelope carries it, so that queueing time is
 * visible.
 */
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
    attributes: {
      [ATTRIBUTES.messagingSystem]: MESSAGING_SYSTEM,
      [ATTRIBUTES.messagingDestination]: to,
      [ATTRIBUTES.messagingOperationType]: "send",
      [ATTRIBUTES.messagingOperationName]: "send",
      [ATTRIBUTES.messageId]: messageId(),
    },
  });
  span.end();
  return traceparentOf(span);
}
