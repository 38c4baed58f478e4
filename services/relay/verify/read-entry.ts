import { z } from "zod";
import { EntryRefusedError } from "../errors.ts";

/** Events that an agent may report of its own message; trusted services report all others. */
const EVENTS_OF_AGENTS = [
  "accepted",
  "completed",
  "handed_off",
  "retry",
  "postponed",
  "rejected",
  "in_ward",
  "quarantined",
  "ended",
] as const;

/** Maximum bytes of all answers to one fan-out. */
const ANSWERS_BYTES_MAX = 64 * 1024 * 1024;

/** Excludes the separators used in the run's record. */
const messageId = z.string().regex(/^[0-9a-f-]{36}$/);
const agentName = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/);

const openedSchema = z.object({ message_id: messageId, agent: agentName });

const changeSchema = z.object({
  event: z.object({
    id: z.string().min(1).max(300),
    run_id: messageId,
    type: z.enum(EVENTS_OF_AGENTS),
    at: z.iso.datetime(),
    message_id: messageId,
    agent: agentName,
    detail: z.record(z.string(), z.unknown()),
  }),
  moves: z
    .object({ state: z.enum(["open", "in_ward", "quarantined", "closed"]), rank: z.int().min(0) })
    .exactOptional(),
  opens: z.array(openedSchema).max(100_000).exactOptional(),
  end: z.enum(["failed", "expired", "cancelled"]).exactOptional(),
  result: z.unknown().optional(),
  error: z
    .object({ class: z.string().max(100), code: z.string().max(200), message: z.string().max(20_000) })
    .exactOptional(),
  cost: z.number().min(0).exactOptional(),
  tokens: z.int().min(0).exactOptional(),
  starts: z.boolean().exactOptional(),
});

const sendSchema = z.object({
  lane: z.enum(["fresh", "retry"]),
  agent: agentName,
  jobId: z.string().min(1).max(100),
  data: z.record(z.string(), z.unknown()),
  delayMs: z.number().min(0),
  priority: z.enum(["high", "normal", "low"]),
});

/** The other fields of a fan-out follow from the seals of its messages, or the relay knows them itself. */
const fanOutSchema = z.object({
  join: agentName,
  needed: z.int().min(0),
  least: z.int().min(0),
  window: z.int().min(1),
  bytesMax: z.int().min(1).max(ANSWERS_BYTES_MAX),
  deadlineMs: z.number().min(0).nullable(),
  message: sendSchema,
  held: z.array(z.object({ send: sendSchema })).max(100_000),
});

const collectedSchema = z.object({
  fanOutId: messageId,
  index: z.int().min(0).max(1_000_000),
  answer: z.string(),
});

const entrySchema = z.object({
  id: z.string().min(1).max(300),
  at_ms: z.number(),
  changes: z.array(changeSchema).max(100_000),
  sends: z.array(sendSchema).max(100_000),
  admissions: z.array(z.looseObject({ case_id: z.string().min(1).max(200) })).max(100_000),
  awaits: z.undefined().optional(),
  gathers: z.undefined().optional(),
  fanOut: fanOutSchema.exactOptional(),
  collected: collectedSchema.exactOptional(),
});

/** An entry with a valid form; nothing of it is verified. Fields that no agent may set are dropped. */
export type ReadEntry = z.output<typeof entrySchema>;

export type ReadChange = ReadEntry["changes"][number];

export type ReadFanOut = NonNullable<ReadEntry["fanOut"]>;

/** The part of a malformed entry that says which message it is about. */
const claimedSchema = z.object({
  changes: z.tuple(
    [z.object({ event: z.object({ run_id: messageId, message_id: messageId }) })],
    z.unknown(),
  ),
});

/**
 * Parses an entry.
 *
 * @throws {EntryRefusedError} It is malformed; names the first wrong field.
 */
export function readEntry(agent: string, text: string): ReadEntry {
  const value = parseOrNull(text);
  const parsed = entrySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const problem = `its entry is malformed at ${issue?.path.join("/") || "its root"}`;
  const event = claimedSchema.safeParse(value).data?.changes[0].event;
  const claimed = event === undefined ? null : { runId: event.run_id, messageId: event.message_id };
  throw new EntryRefusedError({ agent, reason: "malformed", problem, claimed });
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
