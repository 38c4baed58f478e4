import { derivedId, now, timestamp } from "#shared/clock";
import type { Conversation, Envelope } from "./envelope.ts";
import { expiryAfter, TTL_MS_DEFAULT } from "./expiry.ts";
import { requireAmount } from "./limits.ts";
import type { OriginalSeal } from "./original-seal.ts";
import { hopsOf, SURGEON_ID } from "./path.ts";

export interface DischargeDraft {
  readonly dead: Envelope;
  /** `digest` of the dead message. */
  readonly deadDigest: string;
  /** Name of the operation on the case; part of the message id, so that a repeat is the same message. */
  readonly operation: string;
  /** The case it leaves, as `meta.case_id`. Default: the dead message's, if it was a discharge itself. */
  readonly caseId?: string;
  /** The seal of the message that died first. Default: the dead message's, if it was a discharge itself. */
  readonly originalSeal?: OriginalSeal;
  /** The repaired payload. Default: the dead message's own. */
  readonly payload?: unknown;
  /** With healed answers in its `tool_state`. Default: the dead message's own. */
  readonly conversation?: Conversation;
  /** `name@version` of another receiver. Default: the dead message's. */
  readonly to?: string;
  /** Default: the dead message's. */
  readonly contract?: string;
  /** `name@version`. Default `surgeon@1`; no other name is free of a hop. */
  readonly from?: string;
  /** When the dead message's clock stopped: its entry into the ward or quarantine. Milliseconds since the epoch. */
  readonly diedAtMs: number;
  /** Least life of the new message in milliseconds. Default: one day. */
  readonly ttlMsMin?: number;
  /** Of the operation's span; must belong to the dead message's trace. Default: the dead message's. */
  readonly traceparent?: string;
  /** Default: the dead message's. */
  readonly tracestate?: string;
  /** Default: the dead message's. */
  readonly reason?: string;
  /** Default: now. Milliseconds since the epoch. */
  readonly nowMs?: number;
}

/** The time that was left, and at least the default: waiting for the surgeon or a person costs no life. */
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
