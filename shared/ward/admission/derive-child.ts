import { agentNameOf, childIdOf, createNext, joinOf, branchOf } from "#shared/envelope";
import { earlier } from "#shared/envelope/limits";
import type { Conversation, Envelope, MessageMarks } from "#shared/envelope";
import {
  carryTaint,
  labelsOf,
  narrowScope,
  readTaint,
  SCOPE_FIELD,
  scopeOf,
  TAINT_FIELD,
} from "#shared/guard";
import { withoutHealedAnswers } from "../moves/healed-answers.ts";

/** A handoff that its sender sealed and could not send, with the message that the sender was handling. */
export interface UnsentChild {
  readonly child: Envelope;
  readonly parent: Envelope;
  /** Digest of the parent, as returned by `open`. */
  readonly parentDigest: string;
  /** Index among the handoffs of one outcome, from 0. */
  readonly index: number;
  /** JSON pointers of the payload that the sender's author declares free of outside text. */
  readonly clean: readonly string[];
}

/** Returns why the child cannot come from the parent; null if it can. */
export function findForeignParent({ child, parent, parentDigest, index }: UnsentChild): string | null {
  const { meta } = child;
  const edge = { from: agentNameOf(meta.source_agent), to: agentNameOf(meta.target_agent), index };
  if (meta.parent_id !== parent.meta.message_id) return "its parent is another message";
  if (meta.parent_digest !== parentDigest) return "its parent has other bytes";
  if (meta.message_id !== childIdOf(parent.meta.message_id, edge))
    return "its id does not follow from its parent";
  return null;
}

/**
 * Derives the child again from its verified parent. The payload, the conversation's text, the contract, the type, the
 * reason and the requirements are the child's own. Everything else follows from the parent by the rules of
 * `createNext`; the child's values count only where they narrow a limit. A child that was made honestly is returned
 * unchanged.
 */
export function deriveChild(unsent: UnsentChild): Envelope {
  const { child, parent, parentDigest, index } = unsent;
  const { meta, billing } = child;
  const before = parent.billing;
  const next = createNext({
    parent,
    parentDigest,
    from: meta.source_agent,
    to: meta.target_agent,
    contract: meta.contract,
    payload: child.data_payload,
    index,
    ...(meta.traceparent.slice(3, 35) === parent.meta.trace_id ? { traceparent: meta.traceparent } : {}),
    tracestate: meta.tracestate,
    tighten: {
      costLimit: billing.cost_limit,
      tokenLimit: billing.token_limit,
      hopsMax: meta.max_hops,
    },
    conversation: conversationOf(unsent),
    handoffType: meta.handoff_type,
    reason: meta.reason,
    expectedOutput: meta.expected_output,
    capabilitiesRequired: meta.capabilities_required,
    marks: marksOf(child),
    nowMs: Date.parse(meta.timestamp),
  });
  const asked = scopeOf(meta);
  return {
    ...next,
    meta: {
      ...next.meta,
      expires_at: earlier(parent.meta.expires_at, meta.expires_at),
      ...(asked === null ? {} : { [SCOPE_FIELD]: [...narrowScope(scopeOf(parent.meta), asked)] }),
    },
    billing: {
      ...next.billing,
      cost_so_far: Math.max(before.cost_so_far, billing.cost_so_far),
      tokens_consumed: Math.max(before.tokens_consumed, billing.tokens_consumed),
    },
  };
}

/** A sender on an edge may name any fan-out branch there; the ward does not extend that right. */
function marksOf({ meta }: Envelope): MessageMarks {
  const branch = branchOf(meta);
  const joins = joinOf(meta);
  return { ...(branch === null ? {} : { branch }), ...(joins === null ? {} : { joins }) };
}

/** Keeps the parent's taint labels, whatever the child says: labels follow what was read. */
function conversationOf({ child, parent, clean }: UnsentChild): Conversation {
  const conversation = withoutHealedAnswers(child.conversation);
  const labels = [child, parent].flatMap((one) => labelsOf(readTaint(one.conversation.metadata) ?? {}));
  const taint = carryTaint([...new Set(labels)], clean);
  if (taint === null) return conversation;
  return { ...conversation, metadata: { ...conversation.metadata, [TAINT_FIELD]: taint } };
}
