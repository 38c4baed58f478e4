import { derivedId, now, timestamp } from "#shared/clock";
import type { MessageMarks } from "./branch.ts";
import { ENVELOPE_SCHEMA_VERSION } from "./envelope.ts";
import type { Billing, Conversation, Envelope } from "./envelope.ts";
import { earlier, expiryAfter } from "./limits/expiry.ts";
import { requireAmount } from "./limits/limits.ts";
import { agentNameOf, hopsOf } from "./path.ts";
import { trimHistory } from "./trim-history.ts";

export interface NextDraft {
  readonly parent: Envelope;
  /** Digest of the parent, as returned by `open`. */
  readonly parentDigest: string;
  /** `name@version` of the sender, which handled `parent`. */
  readonly from: string;
  /** `name@version` of the receiver. */
  readonly to: string;
  readonly contract: string;
  readonly payload: unknown;
  /** Index among the handoffs of one outcome, from 0. Part of the message id. Default 0. */
  readonly index?: number;
  /** Trace context of the sender's span; must belong to the parent's trace. Default: the parent's. */
  readonly traceparent?: string;
  /** Default: the parent's. */
  readonly tracestate?: string;
  /** Cost of handling the parent, in the run's currency and in tokens; added to the run's cost. Default: none. */
  readonly spent?: { readonly cost: number; readonly tokens: number };
  /** Tighter limits from here on; wider ones are ignored. `ttlMs`: time to live from now, in ms. */
  readonly tighten?: {
    readonly costLimit?: number;
    readonly tokenLimit?: number;
    readonly hopsMax?: number;
    readonly ttlMs?: number;
  };
  /** False starts with an empty conversation, even if `conversation` is given. Default true. */
  readonly preserveHistory?: boolean;
  /** Replaces the parent's conversation. Default: the parent's. Trimmed in both cases. */
  readonly conversation?: Conversation;
  /** Default `task_delegation`. */
  readonly handoffType?: string;
  /** Default "". */
  readonly reason?: string;
  /** Default null. */
  readonly expectedOutput?: string | null;
  /** Default: none. */
  readonly capabilitiesRequired?: readonly string[];
  /** Fan-out fields of this message. Default: the parent's branch, and no join. */
  readonly marks?: MessageMarks;
  /** Default: now. In ms since the epoch. */
  readonly nowMs?: number;
}

/** Derives a child's id from parent, edge (plain agent names) and index. */
export function childIdOf(
  parentId: string,
  edge: { readonly from: string; readonly to: string; readonly index: number },
): string {
  return derivedId(parentId, `${edge.from}>${edge.to}`, edge.index);
}

/** `path` names the field in errors. */
function tightened(
  limit: number,
  { asked, path }: { readonly asked: number | undefined; readonly path: string },
): number {
  return asked === undefined ? limit : Math.min(limit, requireAmount(asked, path));
}

function createMeta(draft: NextDraft): Envelope["meta"] {
  const { parent, from, to, index = 0, nowMs = now(), tighten } = draft;
  // A child of a discharge is new work, and gets a case of its own if it dies. A child of a join waits for no
  // branches.
  const { case_id: _left, original_seal: _first, joins: _joined, ...meta } = parent.meta;
  const path = [...meta.path, from];
  const asked = tighten?.ttlMs === undefined ? null : expiryAfter(nowMs, tighten.ttlMs);
  return {
    // First, so that fields of a newer producer are kept and cannot override ours.
    ...meta,
    message_id: childIdOf(meta.message_id, { from: agentNameOf(from), to: agentNameOf(to), index }),
    parent_id: meta.message_id,
    traceparent: draft.traceparent ?? meta.traceparent,
    tracestate: draft.tracestate ?? meta.tracestate,
    timestamp: timestamp(nowMs),
    expires_at: earlier(meta.expires_at, asked),
    source_agent: from,
    target_agent: to,
    contract: draft.contract,
    handoff_type: draft.handoffType ?? "task_delegation",
    reason: draft.reason ?? "",
    expected_output: draft.expectedOutput ?? null,
    parent_digest: draft.parentDigest,
    hop_count: hopsOf(path),
    max_hops: tightened(meta.max_hops, { asked: tighten?.hopsMax, path: "/meta/max_hops" }),
    path,
    capabilities_required: [...(draft.capabilitiesRequired ?? [])],
    ...draft.marks,
  };
}

function createBilling({ parent, spent, tighten }: NextDraft): Billing {
  const { billing } = parent;
  return {
    cost_so_far: billing.cost_so_far + requireAmount(spent?.cost ?? 0, "/billing/cost_so_far"),
    tokens_consumed: billing.tokens_consumed + requireAmount(spent?.tokens ?? 0, "/billing/tokens_consumed"),
    cost_limit: tightened(billing.cost_limit, { asked: tighten?.costLimit, path: "/billing/cost_limit" }),
    token_limit: tightened(billing.token_limit, { asked: tighten?.tokenLimit, path: "/billing/token_limit" }),
    currency: billing.currency,
  };
}

/**
 * Creates a child message: one handoff. User context and task are unchanged, the path grows by the sender, and no
 * limit of the run ever widens. The same parent, edge and index always give the same message id. Does not check
 * limits: `checkLimits` does, at both ends.
 *
 * @throws {EnvelopeInvalidError} An amount is not a finite number of at least 0.
 */
export function createNext(draft: NextDraft): Envelope {
  const { parent, preserveHistory = true, conversation = parent.conversation } = draft;
  return {
    schema: ENVELOPE_SCHEMA_VERSION,
    meta: createMeta(draft),
    user_context: parent.user_context,
    task_context: parent.task_context,
    conversation: preserveHistory ? trimHistory(conversation) : { history: [], tool_state: {}, metadata: {} },
    data_payload: draft.payload,
    billing: createBilling(draft),
  };
}
