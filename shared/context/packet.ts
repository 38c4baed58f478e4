import { z } from "zod";
import type { Conversation, HistoryMessage } from "#shared/envelope";
import { ENTITY_KINDS } from "./entities/entity.ts";
import type { Entity } from "./entities/entity.ts";

/** Where the whole conversation can be read by who needs more than its packet. */
export interface TranscriptReference {
  /** `suture:message/<id>`, the recorded message that held it, or the address of a stored file. */
  readonly uri: string;
  /** Turns in it. */
  readonly turns: number;
  /** SHA-256 of the bytes at that address, hex. */
  readonly sha256: string;
}

/** A conversation as it is handed on compressed. */
export interface ContextPacket {
  readonly summary: string;
  /** What the conversation names and the summary does not. */
  readonly entities: readonly Entity[];
  readonly transcript: TranscriptReference | null;
  /** The newest turns, and those of tool calls that are open, as they were said; in order. */
  readonly turns: readonly HistoryMessage[];
}

/** Field of a conversation's `metadata` with the packet's parts that are no turns. */
export const PACKET_FIELD = "context_packet";

const keptSchema = z.object({
  summary: z.string(),
  entities: z.array(z.object({ kind: z.enum(ENTITY_KINDS), text: z.string() })),
  transcript: z.object({ uri: z.string(), turns: z.int(), sha256: z.string() }).nullable(),
});

/** The packet's tokens are those of this text. */
export function packetText({ summary, entities, transcript, turns }: ContextPacket): string {
  return JSON.stringify({ summary, entities, transcript, turns });
}

/**
 * The conversation to hand on in place of the one that was compressed: the packet's turns as history, the rest of it
 * in
 * `metadata`; of `tool_state` what is open.
 */
export function toConversation(
  { summary, entities, transcript, turns }: ContextPacket,
  before: Pick<Conversation, "tool_state" | "metadata">,
): Conversation {
  return {
    history: [...turns],
    tool_state: before.tool_state,
    metadata: { ...before.metadata, [PACKET_FIELD]: { summary, entities, transcript } },
  };
}

/** What an earlier compression left in a conversation; null where there was none, or nothing that is one. */
export function readPacket({
  metadata,
  history,
}: Pick<Conversation, "metadata" | "history">): ContextPacket | null {
  const parsed = keptSchema.safeParse(metadata[PACKET_FIELD]);
  return parsed.success ? { ...parsed.data, turns: history } : null;
}
