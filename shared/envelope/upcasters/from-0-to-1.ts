import { derivedId } from "#shared/clock";
import { isRecord } from "#shared/json";

type Fields = Readonly<Record<string, unknown>>;

const TTL_MS = 5 * 60 * 1000;

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? { ...value } : {};
}

/** Converts the old form of agent ids: `researcher-v2`. */
function liftAgent(id: unknown): unknown {
  return typeof id === "string" ? id.replace(/-v([1-9]\d{0,5})$/, "@$1") : id;
}

/** Adds milliseconds to a timestamp. Leaves invalid ones for the schema to refuse. */
function liftTime(text: unknown): unknown {
  const atMs = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? text : new Date(atMs).toISOString();
}

function liftExpiry(meta: Fields): unknown {
  const ttlMs = meta["ttl_ms"] ?? TTL_MS;
  const atMs = typeof meta["timestamp"] === "string" ? Date.parse(meta["timestamp"]) : Number.NaN;
  const expiresMs = typeof ttlMs === "number" && ttlMs >= 0 ? new Date(atMs + ttlMs).getTime() : Number.NaN;
  return Number.isNaN(expiresMs) ? "no point in time" : new Date(expiresMs).toISOString();
}

function liftMeta(meta: Fields): Fields {
  const { attempt: _nowOutsideTheSeal, ttl_ms: _nowExpiresAt, ...kept } = meta;
  const path = Array.isArray(meta["path"]) ? meta["path"].map(liftAgent) : [liftAgent(meta["source_agent"])];
  const traceId = meta["trace_id"];
  const spanId = derivedId("span", String(meta["message_id"])).replaceAll("-", "").slice(0, 16);
  return {
    parent_id: null,
    tracestate: "",
    handoff_type: "task_delegation",
    reason: "",
    expected_output: null,
    parent_digest: null,
    max_hops: 10,
    capabilities_required: [],
    ...kept,
    traceparent: typeof traceId === "string" ? `00-${traceId}-${spanId}-01` : traceId,
    timestamp: liftTime(meta["timestamp"]),
    expires_at: liftExpiry(meta),
    source_agent: liftAgent(meta["source_agent"]),
    target_agent: liftAgent(meta["target_agent"]),
    path,
    // The surgeon did not send anything in schema 0.
    hop_count: path.length - 1,
  };
}

/**
 * Schema 0, the pre-release form, followed the handoff schema of the source documents word by word: agents as
 * `name-v2`, times without milliseconds, a life (`meta.ttl_ms`) instead of an expiry, `meta.attempt` inside, no
 * conversation, no limits in `billing` and no `preferences`. Pure: the same bytes always lift to the same envelope.
 * What is missing for other reasons stays missing, and the schema refuses it.
 */
export function liftFrom0To1(envelope: Fields): Fields {
  const user = fieldsOf(envelope["user_context"]);
  return {
    schema: 1,
    meta: liftMeta(fieldsOf(envelope["meta"])),
    user_context: { preferences: {}, ...user },
    task_context: fieldsOf(envelope["task_context"]),
    conversation: { history: [], tool_state: {}, metadata: {} },
    data_payload: envelope["data_payload"],
    billing: { cost_limit: 1, token_limit: 100_000, currency: "USD", ...fieldsOf(envelope["billing"]) },
  };
}
