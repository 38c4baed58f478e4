import { derivedId, now, timestamp, uuidv7 } from "#shared/clock";
import { trimHistory } from "./create-next.ts";
import type { MessageDraft } from "./create-next.ts";
import { SURGEON_ID, hopsOf } from "./path.ts";
import { ENVELOPE_SCHEMA_VERSION } from "./envelope.ts";
import type { Billing, Conversation, Envelope, TaskContext, UserContext } from "./envelope.ts";
import { TTL_MS_DEFAULT, expiryAfter, requireAmount } from "./limits/limits.ts";
import type { OriginalSeal } from "./seals/sealed-message.ts";

export interface FirstDraft extends MessageDraft {
  /** `name@version` of the sealer. Default `gateway@1`. */
  readonly from?: string;
  /** Submitter of the task, as the sender knows it. Inherited along the run. Default: unknown. */
  readonly submittedBy?: string;
  /** Default: a new UUIDv7. The message id derives from it: a repeat with the same run gives the same message. */
  readonly runId?: string;
  /** W3C trace context; the trace id is taken from it. */
  readonly traceparent: string;
  /** Default "". */
  readonly tracestate?: string;
  /** Default: no user, tier or preferences, an empty query, `en-US`. */
  readonly user?: Partial<UserContext>;
  /** Default: no intent or constraints, priority `normal`. */
  readonly task?: Partial<TaskContext>;
  /** Default: empty. */
  readonly conversation?: Partial<Conversation>;
  /** Default: 1.00 USD and 100,000 tokens. 0 allows nothing. */
  readonly budget?: Partial<Pick<Billing, "cost_limit" | "token_limit" | "currency">>;
  /** Maximum handoffs between agents. Default 10; 0 allows none. */
  readonly hopsMax?: number;
  /** Time to live (TTL) in ms; null never expires. Default: one day. */
  readonly ttlMs?: number | null;
}

/** Default budget of a run in US dollars (`cost_limit`, option `costLimit`). */
export const COST_LIMIT_DEFAULT = 1;
/** Default budget of a run in tokens (`token_limit`, option `tokenLimit`). */
export const TOKEN_LIMIT_DEFAULT = 100_000;
/** Default hop limit: handoffs between agents in a run (`max_hops` on the wire, a team's option `hopsMax`). */
export const HOPS_MAX_DEFAULT = 10;

function createMeta(draft: FirstDraft): Envelope["meta"] {
  const { from = "gateway@1", runId = uuidv7(), nowMs = now(), ttlMs = TTL_MS_DEFAULT } = draft;
  const path = [from];
  return {
    ...(draft.submittedBy === undefined ? {} : { submitted_by: draft.submittedBy }),
    message_id: derivedId("first", runId),
    run_id: runId,
    parent_id: null,
    trace_id: draft.traceparent.slice(3, 35),
    traceparent: draft.traceparent,
    tracestate: draft.tracestate ?? "",
    timestamp: timestamp(nowMs),
    expires_at: expiryAfter(nowMs, ttlMs),
    source_agent: from,
    target_agent: draft.to,
    contract: draft.contract,
    handoff_type: draft.handoffType ?? "task_delegation",
    reason: draft.reason ?? "",
    expected_output: draft.expectedOutput ?? null,
    parent_digest: null,
    hop_count: hopsOf(path),
    max_hops: requireAmount(draft.hopsMax ?? HOPS_MAX_DEFAULT, "/meta/max_hops"),
    path,
    capabilities_required: [...(draft.capabilitiesRequired ?? [])],
  };
}

/** Creates a run's first message; `seal` checks its fields. @throws {EnvelopeInvalidError} A bad limit or life. */
export function createFirst(draft: FirstDraft): Envelope {
  const { user, task, conversation, budget } = draft;
  return {
    schema: ENVELOPE_SCHEMA_VERSION,
    meta: createMeta(draft),
    user_context: {
      user_id: user?.user_id ?? null,
      subscription_tier: user?.subscription_tier ?? null,
      original_query: user?.original_query ?? "",
      locale: user?.locale ?? "en-US",
      preferences: user?.preferences ?? {},
    },
    task_context: {
      intent: task?.intent ?? "",
      priority: task?.priority ?? "normal",
      constraints: task?.constraints ?? [],
    },
    conversation: trimHistory({
      history: conversation?.history ?? [],
      tool_state: conversation?.tool_state ?? {},
      metadata: conversation?.metadata ?? {},
    }),
    data_payload: draft.payload,
    billing: {
      cost_so_far: 0,
      tokens_consumed: 0,
      cost_limit: requireAmount(budget?.cost_limit ?? COST_LIMIT_DEFAULT, "/billing/cost_limit"),
      token_limit: requireAmount(budget?.token_limit ?? TOKEN_LIMIT_DEFAULT, "/billing/token_limit"),
      currency: budget?.currency ?? "USD",
    },
  };
}

interface DischargeDraft {
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
  /** Entry into the ward, when the message's clock stopped, in ms since the epoch. */
  readonly diedAtMs: number;
  /** Minimum time to live of the new message, in ms. Default: one day. */
  readonly ttlMsMin?: number;
  /** Trace context of the operation's span; must belong to the dead message's trace. Default: the dead message's. */
  readonly traceparent?: string;
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
 * Creates the message that leaves the ward in a dead message's place, sealed on the surgeon's edge. Sender, time and
 * the change asked for differ; it is no extra hop. @throws {EnvelopeInvalidError} A time is no number of at least 0.
 */
export function createDischarge(draft: DischargeDraft): Envelope {
  const { dead, operation, nowMs = now() } = draft;
  const { meta } = dead;
  const path = [...meta.path, SURGEON_ID];
  return {
    ...dead,
    meta: {
      ...meta,
      message_id: derivedId("discharge", meta.message_id, operation),
      parent_id: meta.message_id,
      traceparent: draft.traceparent ?? meta.traceparent,
      timestamp: timestamp(nowMs),
      expires_at: dischargeExpiry(draft, nowMs),
      source_agent: SURGEON_ID,
      target_agent: draft.to ?? meta.target_agent,
      contract: draft.contract ?? meta.contract,
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
