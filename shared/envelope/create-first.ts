import { derivedId, now, timestamp, uuidv7 } from "#shared/clock";
import { ENVELOPE_SCHEMA_VERSION } from "./envelope.ts";
import type { Billing, Conversation, Envelope, TaskContext, UserContext } from "./envelope.ts";
import { expiryAfter, TTL_MS_DEFAULT } from "./limits/expiry.ts";
import { requireAmount } from "./limits/limits.ts";
import { hopsOf } from "./path.ts";
import { trimHistory } from "./trim-history.ts";

export interface FirstDraft {
  /** `name@version` of the sealer. Default `gateway@1`. */
  readonly from?: string;
  /** `name@version` of the receiver. */
  readonly to: string;
  /** Who submitted the task, as the sender knows it. Inherited along the run. Default: unknown. */
  readonly submittedBy?: string;
  readonly contract: string;
  readonly payload: unknown;
  /**
   * Default: a new UUIDv7. The message id is derived from it, so that a repeat with the same run gives the same
   * message.
   */
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

/**
 * Creates the first message of a run. `seal` checks its fields.
 *
 * @throws {EnvelopeInvalidError} A limit or a time to live is not a finite number of at least 0.
 */
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
