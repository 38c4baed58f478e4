import { z } from "zod";
import { agent } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { contract } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { blackboard } from "#shared/patterns";
import type { Blackboard } from "#shared/patterns";
import { ChatTurn, Message, ReferenceDocument, ResearchRequest, QUESTIONS_MAX } from "../contracts.ts";
import type { ConversationContext, ConversationPlace } from "../contracts.ts";
import { shorten } from "../text.ts";

/** Turns of a conversation that are remembered, and those that a prompt is shown: the newest. */
const TURNS_MAX = 30;
const TURNS_SHOWN = 6;
/** From the last message until a conversation is forgotten, in ms. */
const CONVERSATION_LIFE_MS = 30 * 24 * 3_600_000;
/** Characters of what was said and answered that a conversation's record keeps of each turn. */
const REMEMBERED_CHARACTERS_MAX = 800;

/**
 * Takes messages into their conversations, and hands each to whoever has that conversation: research, once it has
 * answered there, else chat. Asks no model: who has it is a record, which no text can talk over.
 */
export const frontDesk = agent("front-desk@1", {
  accepts: Message,
  to: { chat: ChatTurn, reference: ReferenceDocument, research: ResearchRequest },
  description: "Takes the next message of a conversation to whoever has that conversation.",
  guard: {
    mayCause: [],
    untrusted: { payload: { "/ask": "user" } },
    injection: { reaction: "flag" },
  },
  handle: async ({ conversation_id: named, ask }, ctx) => {
    const conversationId = named ?? ctx.envelope.meta.run_id;
    const said = ask.kind === "message" ? ask.text : `${ask.title}: ${ask.wish}`;
    const taken = await takeTurn(ctx, conversationId, said);
    const { place: conversation, holder, context } = taken;
    if (ask.kind === "document") {
      const { title, text, wish } = ask;
      return ctx.handoff("reference", { conversation, title, text, wish }, { handoffType: "document" });
    }
    if (holder === "chat")
      return ctx.handoff("chat", { conversation, text: ask.text, context }, { handoffType: "message" });
    return ctx.handoff(
      "research",
      { conversation, question: ask.text, context, reference: null },
      { handoffType: "continued_conversation", reason: "research has this conversation" },
    );
  },
});

/** Agents that may answer the next message of a conversation. */
export const HOLDERS = ["chat", "research"] as const;

type Holder = (typeof HOLDERS)[number];

const turn = z.object({
  run_id: z.uuid(),
  /** From 1, in the order in which the messages were taken. */
  turn: z.int().positive(),
  said: z.string().max(REMEMBERED_CHARACTERS_MAX),
  /** Null until it is answered. */
  answered_by: z.enum(HOLDERS).nullable(),
  answer: z.string().max(REMEMBERED_CHARACTERS_MAX).nullable(),
  /** Questions that were looked up for it, complete in themselves; none for thanks, comments and small talk. */
  topics: z.array(z.string().max(600)).max(QUESTIONS_MAX).default([]),
});

const ConversationRecord = contract(
  "research.conversation@1",
  z.object({ turns_taken: z.int().nonnegative(), turns: z.array(turn) }),
  { description: "The newest turns of a conversation." },
);

type ConversationRecord = ContractOutput<typeof ConversationRecord>;

const RECORD = "record";
export const EMPTY: ConversationRecord = { turns_taken: 0, turns: [] };

/** Opens a conversation's board, of one entry. It belongs to the sealed user, so no text can reach another's. */
function openRecord(
  ctx: Pick<Context, "board">,
  conversation: string,
): Blackboard<typeof ConversationRecord> {
  const bounds = { lifeMs: CONVERSATION_LIFE_MS };
  return blackboard(ctx, { name: "conversation", entry: ConversationRecord, conversation, bounds });
}

/** Enters a message into its conversation, once. Returns its place, and what was answered before it. */
async function takeTurn(
  ctx: Pick<Context, "board" | "envelope">,
  conversationId: string,
  said: string,
): Promise<{
  readonly place: ConversationPlace;
  readonly holder: Holder;
  readonly context: ConversationContext;
}> {
  const { run_id: runId } = ctx.envelope.meta;
  const board = openRecord(ctx, conversationId);
  await board.update("take-turn", RECORD, (record) => enter(record ?? EMPTY, runId, said));
  const record = (await board.read()).entries.get(RECORD)?.value ?? EMPTY;
  const own = record.turns.find((one) => one.run_id === runId)?.turn ?? record.turns_taken;
  const answered = record.turns
    .filter(({ turn: earlier }) => earlier < own)
    .flatMap(({ said: before, answered_by: by, answer, topics }) =>
      by === null || answer === null ? [] : [{ said: before, answered_by: by, answer, topics }],
    );
  return {
    place: { conversation_id: conversationId, turn: own },
    // Whoever answered last has the conversation.
    holder: answered.at(-1)?.answered_by ?? "chat",
    context: answered.slice(-TURNS_SHOWN),
  };
}

/**
 * Notes the answer of a turn before its run ends, once.
 * @param closed.topics - Questions that were looked up.
 */
export async function closeTurn(
  ctx: Pick<Context, "board" | "envelope">,
  closed: {
    readonly place: ConversationPlace;
    readonly by: Holder;
    readonly answer: string;
    readonly topics: readonly string[];
  },
): Promise<void> {
  const answer = shorten(closed.answer, REMEMBERED_CHARACTERS_MAX);
  const change = { answered_by: closed.by, answer, topics: [...closed.topics] };
  const board = openRecord(ctx, closed.place.conversation_id);
  await board.update("close-turn", RECORD, (record) => {
    const { turns_taken, turns } = record ?? EMPTY;
    const runId = ctx.envelope.meta.run_id;
    return { turns_taken, turns: turns.map((one) => (one.run_id === runId ? { ...one, ...change } : one)) };
  });
}

/** Returns the record with a message as its newest turn, and without the oldest. Pure. */
export function enter(record: ConversationRecord, runId: string, said: string): ConversationRecord {
  if (record.turns.some(({ run_id: id }) => id === runId)) return record;
  const own = {
    run_id: runId,
    turn: record.turns_taken + 1,
    said: shorten(said, REMEMBERED_CHARACTERS_MAX),
    answered_by: null,
    answer: null,
    topics: [],
  };
  return { turns_taken: own.turn, turns: [...record.turns, own].slice(-TURNS_MAX) };
}
