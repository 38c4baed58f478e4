import { agentNameOf, branchOf, childIdOf, createNext, joinOf, senderOf } from "#shared/envelope";
import type { Conversation, Envelope, MessageMarks } from "#shared/envelope";
import type { KeyEdge, Keyring } from "#shared/envelope/keys";
import { earlier } from "#shared/envelope/limits";
import { UntrustedMessageError, open, originalSealOf, verifyOriginalSeal } from "#shared/envelope/seals";
import type { OriginalSeal, SealedMessage } from "#shared/envelope/seals";
import {
  SCOPE_FIELD,
  TAINT_FIELD,
  carryTaint,
  labelsOf,
  narrowScope,
  readTaint,
  scopeOf,
} from "#shared/guard";
import { isRecord, readJson } from "#shared/json";
import type { CaseAdmission } from "../case.ts";
import { AdmissionForeignError } from "../errors.ts";
import { RELEASED_STEP, withoutHealedAnswers } from "../moves/healed-answers.ts";

/** Origin of a message: the edge whose key sealed it first, of an agent or the gateway, and that seal. */
interface Origin {
  readonly edge: KeyEdge;
  readonly seal: OriginalSeal;
}

/** A message whose own seal was verified. */
export interface ProvenMessage {
  /** The trusted part of `bytes`: without fields that its sender had no right to write. */
  readonly envelope: Envelope;
  readonly origin: Origin;
  /** Reason against sending it automatically; null if it may be sent. A person's release overrides it. */
  readonly doubt: string | null;
}

export interface ProveMessageOptions {
  readonly keyring: Keyring;
  /** JSON pointers that an edge's sender declares free of taint labels. Default: none. */
  readonly clean?: (edge: KeyEdge) => readonly string[];
}

const SURGEON = "surgeon";

/**
 * Verifies a dead message's own seal under its own edge, whoever admits it, and returns its trusted part.
 *
 * @param record - Of a verified admission.
 * @param signer - Agent whose key signed that admission.
 * @throws {AdmissionForeignError} The seal is invalid, or the signer is not involved in this message.
 * @throws {EnvelopeVersionUnsupportedError} A newer release sealed it.
 */
export function proveMessage(
  record: CaseAdmission & { readonly bytes: string },
  signer: string,
  options: ProveMessageOptions,
): ProvenMessage {
  const refuse = (problem: string): never => {
    throw new AdmissionForeignError(record.case_id, problem);
  };
  const message = storedMessageOf(record);
  const { envelope, bytes, key } = refuseUntrusted(refuse, () =>
    open({ message, queue: record.agent, jobId: record.message_id, keyring: options.keyring }),
  );
  if (bytes !== record.bytes) refuse("its message has other bytes than were sealed");
  if (envelope.meta.run_id !== record.run_id) refuse("its message is of another run");
  if (signer !== key.to && signer !== key.from) refuse("its signer neither sent nor received the message");
  if (record.subject.kind === "answer" && (signer !== key.to || record.subject.step === RELEASED_STEP))
    refuse("its signer may not answer for that step");
  if (key.from === SURGEON) return proveDischarge(refuse, envelope, options.keyring);
  const origin = {
    edge: { from: key.from, to: key.to },
    // `open` has parsed it as one.
    seal: originalSealOf(message as SealedMessage, record.message_id),
  };
  // The message was sent if its receiver admits it; an unsent one holds what its sender likes.
  if (signer === key.to) return { envelope: withoutSurgeonFields(envelope), origin, doubt: null };
  return { origin, ...proveUnsent(refuse, { record, envelope, edge: origin.edge }, options) };
}

/** Removes fields that only the surgeon may write: healed answers, a case and a first seal. */
function withoutSurgeonFields(envelope: Envelope): Envelope {
  const { case_id: _case, original_seal: _seal, ...meta } = envelope.meta;
  return { ...envelope, meta, conversation: withoutHealedAnswers(envelope.conversation) };
}

/** Verifies a discharge: it must prove which message it replaces, and its path must agree. */
function proveDischarge(refuse: Refuse, envelope: Envelope, keyring: Keyring): ProvenMessage {
  const { original_seal: seal } = envelope.meta;
  if (seal === undefined) return refuse("it does not bring the seal of its first message");
  const { from, to } = refuseUntrusted(refuse, () => verifyOriginalSeal(seal, keyring));
  const isFirst = from !== SURGEON && to !== "ward" && from === agentNameOf(senderOf(envelope));
  if (!isFirst) refuse("its first message came along another edge");
  return { envelope, origin: { edge: { from, to }, seal }, doubt: null };
}

function proveUnsent(
  refuse: Refuse,
  unsent: { readonly record: CaseAdmission; readonly envelope: Envelope; readonly edge: KeyEdge },
  { keyring, clean }: ProveMessageOptions,
): Pick<ProvenMessage, "envelope" | "doubt"> {
  const { record, envelope: child, edge } = unsent;
  const { parent: sealed } = record;
  if (sealed === undefined) {
    const doubt =
      "It does not bring the message that its sender was handling, so that only a person can send it on.";
    return { envelope: withoutSurgeonFields(child), doubt };
  }
  const parent = refuseUntrusted(refuse, () =>
    open({ message: sealed.message, queue: edge.from, jobId: child.meta.parent_id ?? "", keyring }),
  );
  const made = {
    child,
    parent: parent.envelope,
    parentDigest: parent.digest,
    index: sealed.index,
    clean: clean?.(edge) ?? [],
  };
  const problem = findForeignParent(made);
  if (problem !== null) refuse(problem);
  return { envelope: deriveChild(made), doubt: null };
}

type Refuse = (problem: string) => never;

function refuseUntrusted<Value>(refuse: Refuse, verify: () => Value): Value {
  try {
    return verify();
  } catch (error) {
    if (!(error instanceof UntrustedMessageError)) throw error;
    return refuse(`its message's own seal does not hold (${error.code})`);
  }
}

/** Returns the message as its sender stored it. A text that is only kept in `bytes` is put back. */
function storedMessageOf(record: CaseAdmission & { readonly bytes: string }): unknown {
  const stored = readJson(record.stored);
  if (!isRecord(stored) || typeof stored["sealed"] === "string") return stored;
  return { ...stored, sealed: record.bytes };
}

/** A handoff that its sender sealed and could not send, with the message that the sender was handling. */
interface UnsentChild {
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
