import { derivedId, now, timestamp } from "#shared/clock";
import { ENVELOPE_SCHEMA_VERSION } from "./envelope.ts";
import type { Billing, Conversation, Envelope } from "./envelope.ts";
import { earlier, expiryAfter, requireAmount } from "./limits/limits.ts";
import { agentNameOf, hopsOf } from "./path.ts";
import type { MessageMarks } from "./path.ts";

/** Parts of a message that its sender chooses, whether it begins a run or follows from a parent. */
export interface MessageDraft {
  /** `name@version` of the receiver. */
  readonly to: string;
  readonly contract: string;
  readonly payload: unknown;
  /** Default `task_delegation`. */
  readonly handoffType?: string;
  /** Default "". */
  readonly reason?: string;
  /** Default null. */
  readonly expectedOutput?: string | null;
  /** Default: none. */
  readonly capabilitiesRequired?: readonly string[];
  /** Default: now. In ms since the epoch. */
  readonly nowMs?: number;
}

export interface NextDraft extends MessageDraft {
  readonly parent: Envelope;
  /** Digest of the parent, as returned by `open`. */
  readonly parentDigest: string;
  /** `name@version` of the sender, which handled `parent`. */
  readonly from: string;
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
  /** Replaces the parent's conversation. Default: the parent's. Trimmed in both cases. */
  readonly conversation?: Conversation;
  /** Fan-out fields of this message. Default: the parent's branch, and no join. */
  readonly marks?: MessageMarks;
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
  // A child of a discharge is new work, with a case of its own if it dies. A child of a join waits for no branches.
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
 * Creates a child message: one handoff. The path grows, no limit widens, and the same parent, edge and index give the
 * same id. `checkLimits` checks limits. @throws {EnvelopeInvalidError} An amount is no number of at least 0.
 */
export function createNext(draft: NextDraft): Envelope {
  const { parent, conversation = parent.conversation } = draft;
  return {
    schema: ENVELOPE_SCHEMA_VERSION,
    meta: createMeta(draft),
    user_context: parent.user_context,
    task_context: parent.task_context,
    conversation: trimHistory(conversation),
    data_payload: draft.payload,
    billing: createBilling(draft),
  };
}

/** Default number of a conversation's messages that are handed on. */
const HISTORY_MESSAGES_KEPT = 50;

/** Fields of `tool_state` that name open calls: lists of ids, or of objects with an id. */
const OPEN_CALL_FIELDS = ["active_calls", "pending_approvals"] as const;

/** Returns the ids under which messages may refer to an open call: an entry that is no object, or its id fields. */
export function idsOfCall(call: unknown): unknown[] {
  if (typeof call !== "object" || call === null) return [call];
  return Object.entries(call)
    .filter(([name]) => name === "id" || name === "tool_call_id" || name === "call_id")
    .map(([, id]: [string, unknown]) => id);
}

/** Returns the ids of all open calls of a `tool_state`. */
export function openCallIds(toolState: Readonly<Record<string, unknown>>): Set<unknown> {
  const calls = OPEN_CALL_FIELDS.flatMap((field): unknown[] => {
    const listed = toolState[field];
    return Array.isArray(listed) ? listed : [];
  });
  return new Set(calls.flatMap(idsOfCall));
}

function countedBefore(metadata: Readonly<Record<string, unknown>>, name: string): number {
  const trimmed = metadata["trimmed"];
  if (typeof trimmed !== "object" || trimmed === null) return 0;
  const count: unknown = Object.entries(trimmed).find(([key]) => key === name)?.[1];
  return typeof count === "number" && Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** Drops results of closed calls and all but the last fifty messages; counts them in `metadata.trimmed`. Idempotent. */
export function trimHistory(conversation: Conversation): Conversation {
  const { history, tool_state, metadata } = conversation;
  const open = openCallIds(tool_state);
  const relevant = history.filter(({ role, tool_call_id: id }) => role !== "tool" || open.has(id));
  const kept = relevant.slice(-HISTORY_MESSAGES_KEPT);
  if (kept.length === history.length) return conversation;
  const trimmed = {
    messages: countedBefore(metadata, "messages") + relevant.length - kept.length,
    tool_results: countedBefore(metadata, "tool_results") + history.length - relevant.length,
  };
  return { history: kept, tool_state, metadata: { ...metadata, trimmed } };
}
