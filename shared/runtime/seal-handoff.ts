import { createNext, seal } from "#shared/envelope";
import type { Envelope, SealedMessage } from "#shared/envelope";
import type { HandoffDraft } from "./define-agent.ts";
import type { Delivery } from "./delivery.ts";
import { UndeclaredTransitionError } from "./errors.ts";
import { conversationFor, withScope } from "./handed-on.ts";
import { traceparentOfSend } from "./trace-delivery.ts";

export interface SealedHandoff {
  readonly envelope: Envelope;
  readonly bytes: string;
  readonly message: SealedMessage;
}

/** Makes the child message of one handoff and seals it under this agent's key for that edge. */
export function sealHandoff(delivery: Delivery, draft: HandoffDraft, index: number): SealedHandoff {
  const { place, letter, spent } = delivery;
  const receiver = place.team.agents.get(draft.to);
  if (letter === null || receiver === undefined)
    throw new UndeclaredTransitionError(place.agent.id, draft.to);
  const { options } = draft;
  const child = createNext({
    parent: letter.envelope,
    parentDigest: letter.digest,
    from: place.agent.id,
    to: receiver.id,
    contract: draft.contract.id,
    payload: draft.payload,
    index,
    traceparent: traceparentOfSend(draft.to, delivery.traceparent),
    spent: { cost: spent.cost, tokens: spent.tokens },
    conversation: conversationFor(delivery, { letter, draft }),
    ...(options.handoffType === undefined ? {} : { handoffType: options.handoffType }),
    ...(options.reason === undefined ? {} : { reason: options.reason }),
    ...(options.expectedOutput === undefined ? {} : { expectedOutput: options.expectedOutput }),
    ...(options.capabilitiesRequired === undefined
      ? {}
      : { capabilitiesRequired: options.capabilitiesRequired }),
    ...(receiver.options.ttlMs === undefined ? {} : { tighten: { ttlMs: receiver.options.ttlMs } }),
  });
  const envelope = withScope(child, { parent: letter.envelope, asked: options.mayCause });
  const key = place.keyring.signing(place.agent.name, draft.to);
  const sealed = seal({ envelope, queue: draft.to, key, parent: letter.envelope });
  return { envelope, bytes: sealed.bytes, message: sealed.message };
}
