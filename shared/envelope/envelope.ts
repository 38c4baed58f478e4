import { z } from "zod";
import { originalSealSchema } from "./seals/sealed-message.ts";

/** The newest envelope version, and the only one written. */
export const ENVELOPE_SCHEMA_VERSION = 1;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const AGENT_ID = /^[a-z][a-z0-9-]{0,62}@[1-9]\d{0,5}$/;
const CONTRACT_ID = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9_-]*)*@[1-9]\d{0,5}$/;
const WORD = /^[a-z][a-z0-9_.:-]{0,63}$/i;
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const SHA256_HEX = /^[0-9a-f]{64}$/;
/** Month and day: days that each month may have, then those of the longer ones. */
const DAY = "(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d)|(?:0[13-9]|1[0-2])-30|(?:0[13578]|1[02])-31";
const INSTANT = new RegExp(`^\\d{4}-(?:${DAY})T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$`);

const uuid = z.string().regex(UUID);
const agentId = z.string().regex(AGENT_ID);

/** The 29th of February alone depends on the year. */
function isCalendarDay(text: string): boolean {
  return text.slice(5, 10) !== "02-29" || new Date(text).toJSON() === text;
}

/** A timestamp in the form of every wire field. */
const instant = z.string().regex(INSTANT).refine(isCalendarDay, { error: "not a day of the calendar" });

const amount = z.number().min(0).max(1e12);
const count = z.int().min(0);

/** Limits of single fields, in counts or characters. Those of whole messages are in `bounds.ts`. */
const PATH_AGENTS_MAX = 256;

/** Upper bound of `max_hops`, the hop limit of a run. A team's `hopsMax` and a task's `max_hops` lie below it. */
export const HOPS_MAX = 200;

const REASON_CHARS_MAX = 2000;
const WORDS_MAX = 64;
const HISTORY_MESSAGES_MAX = 500;
const CONSTRAINTS_MAX = 100;
const SHORT_CHARS_MAX = 256;
const LONG_CHARS_MAX = 65_536;

/** Unknown fields are kept, so that a newer producer can communicate through an older agent. */
const metaSchema = z.looseObject({
  /** Also the job id. Derived from parent, edge and index, so that a repeat has the same id. */
  message_id: uuid,
  run_id: uuid,
  /** The message that caused this one; null for the first of a run. */
  parent_id: uuid.nullable(),
  trace_id: z.string().regex(TRACE_ID),
  traceparent: z.string().regex(TRACEPARENT),
  tracestate: z.string().max(512),
  timestamp: instant,
  /** Expiry, after which the message is not handled. Null: none. */
  expires_at: instant.nullable(),
  source_agent: agentId,
  target_agent: agentId,
  /** Contract that `data_payload` claims to match. */
  contract: z.string().max(SHORT_CHARS_MAX).regex(CONTRACT_ID),
  handoff_type: z.string().regex(WORD),
  reason: z.string().max(REASON_CHARS_MAX),
  expected_output: z.string().max(LONG_CHARS_MAX).nullable(),
  /** SHA-256 of the parent's exact bytes, hex; null for the first of a run. */
  parent_digest: z.string().regex(SHA256_HEX).nullable(),
  /** Handoffs between agents so far, always consistent with `path`. 0 on arrival at the first agent. */
  hop_count: z.int().min(0).max(PATH_AGENTS_MAX),
  max_hops: z.int().min(0).max(HOPS_MAX),
  /** All senders so far, oldest first; the last is `source_agent`. */
  path: z.array(agentId).min(1).max(PATH_AGENTS_MAX),
  capabilities_required: z.array(z.string().regex(WORD)).max(WORDS_MAX),
  /** Only in a discharge: the case it left, which is reopened if it fails. Not inherited. */
  case_id: uuid.optional(),
  /** Submitter of the task, as the sender of the run's first message knows it. Trusted in that message only. */
  submitted_by: z.string().max(SHORT_CHARS_MAX).optional(),
  /** Only in a discharge: the seal of the message that died first, by an agent or the gateway. Not inherited. */
  original_seal: originalSealSchema.optional(),
});

const userContextSchema = z.strictObject({
  user_id: z.string().max(SHORT_CHARS_MAX).nullable(),
  subscription_tier: z.string().max(SHORT_CHARS_MAX).nullable(),
  /** The user's own words. Constant along a run. */
  original_query: z.string().max(LONG_CHARS_MAX),
  locale: z.string().max(64),
  preferences: z.record(z.string(), z.unknown()),
});

const taskContextSchema = z.strictObject({
  intent: z.string().max(SHORT_CHARS_MAX),
  priority: z.enum(["high", "normal", "low"]),
  constraints: z.array(z.string().max(REASON_CHARS_MAX)).max(CONSTRAINTS_MAX),
});

/** One message of the conversation. Further fields belong to its author and are kept. */
const historyMessageSchema = z.looseObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string().max(LONG_CHARS_MAX),
});

const conversationSchema = z.strictObject({
  history: z.array(historyMessageSchema).max(HISTORY_MESSAGES_MAX),
  tool_state: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()),
});

const billingSchema = z.strictObject({
  /** In `currency`, for the whole run as far as the sender knows. */
  cost_so_far: amount,
  tokens_consumed: count,
  /** Required; 0 means that nothing may be spent. */
  cost_limit: amount,
  token_limit: count,
  currency: z.string().regex(/^[A-Z]{3}$/),
});

/** Wire format: envelope version 1. The payload is checked by its contract, not here. */
export const envelopeSchema = z.strictObject({
  schema: z.literal(ENVELOPE_SCHEMA_VERSION),
  meta: metaSchema,
  user_context: userContextSchema,
  task_context: taskContextSchema,
  conversation: conversationSchema,
  data_payload: z.unknown().refine((payload): boolean => payload !== undefined, { error: "missing" }),
  billing: billingSchema,
});

export type EnvelopeMeta = z.output<typeof metaSchema>;
export type UserContext = z.output<typeof userContextSchema>;
export type TaskContext = z.output<typeof taskContextSchema>;
export type HistoryMessage = z.output<typeof historyMessageSchema>;
export type Conversation = z.output<typeof conversationSchema>;
export type Billing = z.output<typeof billingSchema>;
export type Envelope = z.output<typeof envelopeSchema>;

/** Constraints on the wire, one text each: `name=value` with JSON is a rule, any other a constraint in words. */
const RULE = /^([a-z][a-z0-9_]{0,63})=(.+)$/s;

/** Field of the constraints in words, as a list of texts. */
const WORDS_FIELD = "words";

/** Writes constraints, given by name or as texts, in their wire form. */
export function writeConstraints(given: readonly string[] | Readonly<Record<string, unknown>>): string[] {
  if (isList(given)) return [...given];
  return Object.entries(given).flatMap(([name, value]) => {
    if (name === WORDS_FIELD && Array.isArray(value)) return value.map(String);
    return value === undefined ? [] : [`${name}=${JSON.stringify(value)}`];
  });
}

/** Reads constraints from their wire form. @returns `repeated`: rules that stand there twice, so neither is trusted. */
export function readConstraints(wire: readonly string[]): {
  readonly values: Readonly<Record<string, unknown>>;
  readonly repeated: readonly string[];
} {
  const rules = new Map<string, unknown>();
  const words: string[] = [];
  const repeated: string[] = [];
  for (const text of wire) {
    const rule = readRule(text);
    if (rule === null) words.push(text);
    else if (rules.has(rule.name)) repeated.push(rule.name);
    else rules.set(rule.name, rule.value);
  }
  const values = Object.fromEntries(rules);
  return { values: words.length === 0 ? values : { ...values, [WORDS_FIELD]: words }, repeated };
}

function readRule(text: string): { readonly name: string; readonly value: unknown } | null {
  const [, name, json] = RULE.exec(text) ?? [];
  if (name === undefined || json === undefined || name === WORDS_FIELD) return null;
  try {
    return { name, value: JSON.parse(json) };
  } catch {
    return null;
  }
}

// `Array.isArray` does not narrow a readonly list.
function isList(given: readonly string[] | Readonly<Record<string, unknown>>): given is readonly string[] {
  return Array.isArray(given);
}
