import { z } from "zod";
import type { Conversation, HistoryMessage } from "#shared/envelope";
import { ENTITY_KINDS } from "./entities.ts";
import type { Entity } from "./entities.ts";

/** Reference to the whole conversation of a packet. */
export interface TranscriptReference {
  /** `suture:message/<id>` of the recorded message, or the address of a stored file. */
  readonly uri: string;
  /** Number of turns. */
  readonly turns: number;
  /** SHA-256 of the bytes at that address, hex. */
  readonly sha256: string;
}

/** A compressed conversation. */
export interface ContextPacket {
  readonly summary: string;
  /** Entities that the summary does not name. */
  readonly entities: readonly Entity[];
  readonly transcript: TranscriptReference | null;
  /** The newest turns, and those of open tool calls, verbatim and in order. */
  readonly turns: readonly HistoryMessage[];
}

/** Field of `metadata` with the parts of a packet that are no turns. */
export const PACKET_FIELD = "context_packet";

const keptSchema = z.object({
  summary: z.string(),
  entities: z.array(z.object({ kind: z.enum(ENTITY_KINDS), text: z.string() })),
  transcript: z.object({ uri: z.string(), turns: z.int(), sha256: z.string() }).nullable(),
});

/** The text whose tokens are the packet's size. */
export function packetText({ summary, entities, transcript, turns }: ContextPacket): string {
  return JSON.stringify({ summary, entities, transcript, turns });
}

/**
 * Makes the conversation to hand on: the packet's turns as history, its other parts in `metadata`, and the open calls
 * of `tool_state`.
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

/** Reads the packet of an earlier compression; null for none. */
export function readPacket({
  metadata,
  history,
}: Pick<Conversation, "metadata" | "history">): ContextPacket | null {
  const parsed = keptSchema.safeParse(metadata[PACKET_FIELD]);
  return parsed.success ? { ...parsed.data, turns: history } : null;
}
