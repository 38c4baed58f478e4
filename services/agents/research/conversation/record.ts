import { z } from "zod";
import { contract } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { blackboard } from "#shared/patterns";
import type { Blackboard } from "#shared/patterns";
import type { Context } from "#shared/runtime";
import { QUESTIONS_MAX, REMEMBERED_CHARACTERS_MAX } from "../limits.ts";
import type { ConversationLimits } from "../limits.ts";

/** Agents that may answer the next message of a conversation. */
export const HOLDERS = ["chat", "research"] as const;

export type Holder = (typeof HOLDERS)[number];

const turn = z.object({
  run_id: z.uuid(),
  /** From 1, in the order in which the messages were taken. */
  turn: z.int().positive(),
  said: z.string().max(REMEMBERED_CHARACTERS_MAX),
  /**
   * `open`: being answered, entered by the front desk. `answered`: left by whoever answers. `given_up`: a later message
   * did not wait any longer; becomes `answered` where the answer still comes.
   */
  state: z.enum(["open", "answered", "given_up"]),
  /** Until when later messages wait for it, in ms since 1970. */
  until_ms: z.number(),
  answered_by: z.enum(HOLDERS).nullable(),
  answer: z.string().max(REMEMBERED_CHARACTERS_MAX).nullable(),
  /** Questions that were looked up for it, complete in themselves; none for thanks, comments and small talk. */
  topics: z.array(z.string().max(600)).max(QUESTIONS_MAX).default([]),
});

/** What is remembered of a conversation, from run to run. */
const ConversationRecord = contract(
  "research.conversation@1",
  z.object({ turns_taken: z.int().nonnegative(), turns: z.array(turn) }),
  { description: "The newest turns of a conversation." },
);

export type ConversationRecord = ContractOutput<typeof ConversationRecord>;

export const RECORD = "record";
export const EMPTY: ConversationRecord = { turns_taken: 0, turns: [] };

/**
 * The board of a conversation: one entry, changed by compared writes, in the store beside the run's own books. It
 * belongs to the user whom the gateway sealed into the run, so that no text can reach another's.
 */
export function openRecord(
  ctx: Pick<Context, "board">,
  { conversationId, limits }: { readonly conversationId: string; readonly limits: ConversationLimits },
): Blackboard<typeof ConversationRecord> {
  const bounds = { lifeMs: limits.lifeMs };
  return blackboard(ctx, {
    name: "conversation",
    entry: ConversationRecord,
    conversation: conversationId,
    bounds,
  });
}

/** Returns the agent that answered the newest answered turn; `chat` where there is none. */
export function holderOf({ turns }: ConversationRecord): Holder {
  return turns.findLast(({ state }) => state === "answered")?.answered_by ?? "chat";
}
