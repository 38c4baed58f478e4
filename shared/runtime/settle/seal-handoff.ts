import { childIdOf, createNext } from "#shared/envelope";
import { seal } from "#shared/envelope/seals";
import type { Envelope, MessageMarks, NextDraft } from "#shared/envelope";
import type { SealedMessage } from "#shared/envelope/seals";
import type { Job } from "#shared/store/queues";
import type { OpenedMessage } from "#shared/store/runs";
import { branchFieldOf } from "../deliver/branch-field.ts";
import type { HandoffDraft } from "../define/define-agent.ts";
import type { Delivery } from "../deliver/delivery.ts";
import { UndeclaredTransitionError } from "../errors.ts";
import { conversationFor, withScope } from "../deliver/handed-on.ts";
import { traceparentOfSend } from "../deliver/trace-delivery.ts";

export interface SealedHandoff {
  readonly envelope: Envelope;
  readonly bytes: string;
  readonly message: SealedMessage;
  /** Index among the handoffs of one outcome, from 0. */
  readonly index: number;
}

/** Position of a handoff within its outcome and fan-out. */
interface HandoffPlace {
  /** From 0. */
  readonly index: number;
  readonly marks?: MessageMarks;
  /** Maximum time to live from now, in ms. Default: the run's, or its receiver's. */
  readonly ttlMs?: number;
}

/** Creates the child message of one handoff and seals it with this agent's key for that edge. */
export function sealHandoff(delivery: Delivery, draft: HandoffDraft, at: HandoffPlace): SealedHandoff {
  const { place, message, spent } = delivery;
  const receiver = place.team.agents.get(draft.to);
  if (message === null || receiver === undefined)
    throw new UndeclaredTransitionError(place.agent.id, draft.to);
  const { options } = draft;
  const child = createNext({
    parent: message.envelope,
    parentDigest: message.digest,
    from: place.agent.id,
    to: receiver.id,
    contract: draft.contract.id,
    payload: draft.payload,
    index: at.index,
    traceparent: traceparentOfSend({
      to: draft.to,
      parent: delivery.traceparent,
      messageId: () =>
        childIdOf(message.envelope.meta.message_id, {
          from: place.agent.name,
          to: draft.to,
          index: at.index,
        }),
    }),
    spent: { cost: spent.cost, tokens: spent.tokens },
    conversation: conversationFor(delivery, { message, draft }),
    ...(options.handoffType === undefined ? {} : { handoffType: options.handoffType }),
    ...(options.reason === undefined ? {} : { reason: options.reason }),
    ...(options.expectedOutput === undefined ? {} : { expectedOutput: options.expectedOutput }),
    ...(options.capabilitiesRequired === undefined
      ? {}
      : { capabilitiesRequired: options.capabilitiesRequired }),
    ...(at.marks === undefined ? {} : { marks: at.marks }),
    ...tightenedBy(receiver.options.ttlMs, at.ttlMs),
  });
  const envelope = withScope(child, { parent: message.envelope, asked: options.mayCause });
  const key = place.keyring.signing(place.agent.name, draft.to);
  const sealed = seal({ envelope, queue: draft.to, key, parent: message.envelope });
  return { envelope, bytes: sealed.bytes, message: sealed.message, index: at.index };
}

function tightenedBy(own: number | undefined, asked: number | undefined): Pick<NextDraft, "tighten"> {
  if (own === undefined && asked === undefined) return NOT_TIGHTENED;
  return { tighten: { ttlMs: Math.min(own ?? Infinity, asked ?? Infinity) } };
}

const NOT_TIGHTENED = {};

/** Returns the job that delivers a sealed handoff to its receiver. */
export function sendOf(to: string, child: SealedHandoff): Job {
  return {
    lane: "fresh",
    agent: to,
    jobId: child.envelope.meta.message_id,
    data: { ...child.message },
    delayMs: 0,
    priority: child.envelope.task_context.priority,
  };
}

/** Returns the opened message for the run's record. */
export function openedBy(to: string, { envelope }: SealedHandoff): OpenedMessage {
  const { meta } = envelope;
  return { message_id: meta.message_id, agent: to, ...branchFieldOf(meta) };
}
