import { derivedId, now, timestamp } from "#shared/clock";
import type { Conversation, Envelope } from "./envelope.ts";
import { expiryAfter, TTL_MS_DEFAULT } from "./limits/expiry.ts";
import { requireAmount } from "./limits/limits.ts";
import type { OriginalSeal } from "./seals/original-seal.ts";
import { hopsOf, SURGEON_ID } from "./path.ts";

export interface DischargeDraft {
  readonly dead: Envelope;
  /** Digest of the dead message. */
  readonly deadDigest: string;
  /** Name of the operation on the case; part of the message id, so that a repeat gives the same message. */
  readonly operation: string;
  /** Case that it leaves, as `meta.case_id`. Default: that of the dead message, if it was a discharge itself. */
  readonly caseId?: string;
  /** Seal of the message that died first. Default: that of the dead message, if it was a discharge itself. */
  readonly originalSeal?: OriginalSeal;
  /** The repaired payload. Default: the dead message's. */
  readonly payload?: unknown;
  /** Conversation with healed answers in its `tool_state`. Default: the dead message's. */
  readonly conversation?: Conversation;
  /** `name@version` of another receiver. Default: the dead message's. */
  readonly to?: string;
  /** Default: the dead message's. */
  readonly contract?: string;
  /** `name@version`. Default `surgeon@1`; only this name adds no hop. */
  readonly from?: string;
  /** Entry into the ward, when the message's clock stopped, in ms since the epoch. */
  readonly diedAtMs: number;
  /** Minimum time to live of the new message, in ms. Default: one day. */
  readonly ttlMsMin?: number;
  /** Trace context of the operation's span; must belong to the dead message's trace. Default: the dead message's. */
  readonly traceparent?: string;
  /** Default: the dead message's. */
  readonly tracestate?: string;
  /** Default: the dead message's. */
  readonly reason?: string;
  /** Default: now. In ms since the epoch. */
  readonly nowMs?: number;
}

/** Returns the expiry with the time that was left, at least the minimum: time in the ward does not count. */
function dischargeExpiry(draft: DischargeDraft, nowMs: number): string | null {
  const { expires_at } = draft.dead.meta;
  if (expires_at === null) return null;
  const leftMs = Date.parse(expires_at) - requireAmount(draft.diedAtMs, "/meta/expires_at");
  return expiryAfter(nowMs, Math.max(leftMs, draft.ttlMsMin ?? TTL_MS_DEFAULT, 0));
}

/**
 * The message that leaves the ward in a dead message's place, sealed on the surgeon's own edge. Only who sends it,
 * when, and
 * what was asked to change differ from the dead message, which it names as its parent. It is no extra hop.
 *
 * @throws {EnvelopeInvalidError} A time is not a finite number of at least 0.
 */
export function createDischarge(draft: DischargeDraft): Envelope {
  const { dead, operation, from = SURGEON_ID, nowMs = now() } = draft;
  const { meta } = dead;
  const path = [...meta.path, from];
  return {
    ...dead,
    meta: {
      ...meta,
      message_id: derivedId("discharge", meta.message_id, operation),
      parent_id: meta.message_id,
      traceparent: draft.traceparent ?? meta.traceparent,
      tracestate: draft.tracestate ?? meta.tracestate,
      timestamp: timestamp(nowMs),
      expires_at: dischargeExpiry(draft, nowMs),
      source_agent: from,
      target_agent: draft.to ?? meta.target_agent,
      contract: draft.contract ?? meta.contract,
      reason: draft.reason ?? meta.reason,
      parent_digest: draft.deadDigest,
      hop_count: hopsOf(path),
      path,
      ...(draft.caseId === undefined ? {} : { case_id: draft.caseId }),
      ...(draft.originalSeal === undefined ? {} : { original_seal: draft.originalSeal }),
    },
    conversation: draft.conversation ?? dead.conversation,
    data_payload: "payload" in draft ? draft.payload : dead.data_payload,
  };
}
