import { z } from "zod";
import { agent } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { now } from "#shared/clock";
import { contract } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { defineError } from "#shared/errors";
import { blackboard } from "#shared/patterns";
import type { Blackboard } from "#shared/patterns";
import { ChatTurn, Message, ReferenceDocument, ResearchRequest, QUESTIONS_MAX } from "../contracts.ts";
import type { ConversationContext, ConversationPlace } from "../contracts.ts";
import type { ResearchSetup } from "../outside/library.ts";
import { shorten } from "../text.ts";

/** Longest wait of a message for the one before it in its conversation, in ms; then that one is given up. */
const TURN_MS_DEFAULT = 30_000;
/** Until a message that has to wait is looked at again, in ms. */
const AGAIN_MS = 250;

/** An earlier message of the same conversation is still being answered. Waiting is no failure and costs no delivery. */
export class ConversationBusyError extends defineError((retryAfterMs: number) => ({
  code: "RESEARCH_CONVERSATION_BUSY",
  failureClass: "rate_limited",
  severity: "warning",
  message: "An earlier message of this conversation is still being answered.",
  remedy: "The message waits for its turn by itself; look at the earlier run if it takes long.",
  retryAfterMs,
})) {}

/** Turns of a conversation that are remembered, and those that a prompt is shown: the newest. */
const TURNS_MAX = 30;
const TURNS_SHOWN = 6;
/** From the last message until a conversation is forgotten, in ms. */
const CONVERSATION_LIFE_MS = 30 * 24 * 3_600_000;
/** Characters of what was said and answered that a conversation's record keeps of each turn. */
const REMEMBERED_CHARACTERS_MAX = 800;

/**
 * Takes messages into their conversations, one at a time, and hands each to whoever has that conversation: research,
 * once it has answered there, else chat. Asks no model: who has it is a record, which no text can talk over.
 */
export function createFrontDesk({ turnMs = TURN_MS_DEFAULT }: ResearchSetup) {
  return agent("front-desk@1", {
    accepts: Message,
    to: { chat: ChatTurn, reference: ReferenceDocument, research: ResearchRequest },
    description: "Takes the next message of a conversation to whoever has that conversation.",
    guard: {
      mayCause: [],
      untrusted: { payload: { "/ask": "user" } },
      injection: { reaction: "flag" },
    },
    handle: async ({ conversation_id: named, after, ask }, ctx) => {
      const conversationId = named ?? ctx.envelope.meta.run_id;
      const said = ask.kind === "message" ? ask.text : `${ask.title}: ${ask.wish}`;
      const taken = await takeTurn(ctx, { conversationId, after, said, turnMs });
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
}

/** Agents that may answer the next message of a conversation. */
export const HOLDERS = ["chat", "research"] as const;

type Holder = (typeof HOLDERS)[number];

const turn = z.object({
  run_id: z.uuid(),
  /** From 1, in the order in which the messages were taken. */
  turn: z.int().positive(),
  said: z.string().max(REMEMBERED_CHARACTERS_MAX),
  /** `open`: being answered. `answered`: left by who answers. `given_up`: passed over; `answered` if it still comes. */
  state: z.enum(["open", "answered", "given_up"]),
  /** Until when later messages wait for it, in ms since 1970. */
  until_ms: z.number(),
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

/**
 * Enters a message into its conversation, once, and waits for its turn: one is answered at a time, in the order taken.
 * Simultaneous ones may be taken in either order, unless `after` names the run before; one that is unanswered for
 * `turnMs` is passed over. @throws {ConversationBusyError} Not its turn: postponed, which costs no delivery.
 */
async function takeTurn(
  ctx: Pick<Context, "board" | "envelope">,
  message: {
    readonly conversationId: string;
    readonly after: string | null;
    readonly said: string;
    readonly turnMs: number;
  },
): Promise<{
  readonly place: ConversationPlace;
  readonly holder: Holder;
  readonly context: ConversationContext;
}> {
  const { conversationId, after, turnMs } = message;
  const { run_id: runId, timestamp } = ctx.envelope.meta;
  const board = openRecord(ctx, conversationId);
  const read = async () => (await board.read()).entries.get(RECORD)?.value ?? EMPTY;
  const isKnown = (await read()).turns.some(({ run_id: id }) => id === runId || id === after);
  const hasWaited = now() > Date.parse(timestamp) + turnMs;
  if (after !== null && !isKnown && !hasWaited) throw new ConversationBusyError(AGAIN_MS);
  await board.update("take-turn", RECORD, (record) => enter(record ?? EMPTY, { runId, ...message }));
  const record = await read();
  const own = record.turns.find((one) => one.run_id === runId)?.turn ?? record.turns_taken;
  const earlier = record.turns.filter((one) => one.turn < own);
  if (earlier.some(({ state, until_ms: untilMs }) => state === "open" && untilMs > now()))
    throw new ConversationBusyError(AGAIN_MS);
  // Its time begins when its turn comes, not when it was entered.
  await board.update("begin-turn", RECORD, (taken) =>
    changeTurn(taken ?? EMPTY, runId, { until_ms: now() + turnMs }),
  );
  const answered = earlier.flatMap(({ said, answered_by: by, answer, topics }) =>
    by === null || answer === null ? [] : [{ said, answered_by: by, answer, topics }],
  );
  return {
    place: { conversation_id: conversationId, turn: own },
    // The agent that answered last has the conversation.
    holder: earlier.findLast(({ state }) => state === "answered")?.answered_by ?? "chat",
    context: answered.slice(-TURNS_SHOWN),
  };
}

/** Notes a turn's answer once, before its run ends. @param closed.topics - Questions that were looked up. */
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
  const change = { state: "answered" as const, answered_by: closed.by, answer, topics: [...closed.topics] };
  const board = openRecord(ctx, closed.place.conversation_id);
  await board.update("close-turn", RECORD, (record) =>
    changeTurn(record ?? EMPTY, ctx.envelope.meta.run_id, change),
  );
}

function changeTurn(
  record: ConversationRecord,
  runId: string,
  change: Partial<ConversationRecord["turns"][number]>,
): ConversationRecord {
  const turns = record.turns.map((one) => (one.run_id === runId ? { ...one, ...change } : one));
  return { ...record, turns };
}

/** Returns the record with a message as its newest turn, and without the oldest that are closed. Pure. */
export function enter(
  record: ConversationRecord,
  { runId, said, turnMs }: { readonly runId: string; readonly said: string; readonly turnMs: number },
): ConversationRecord {
  if (record.turns.some(({ run_id: id }) => id === runId)) return record;
  const turns = record.turns.map((one) =>
    one.state === "open" && one.until_ms <= now() ? { ...one, state: "given_up" as const } : one,
  );
  const closed = turns.filter(({ state }) => state !== "open");
  const waitedFor = turns.filter((one) => !closed.includes(one)).map(({ until_ms: untilMs }) => untilMs);
  const forgotten = new Set(closed.slice(0, Math.max(0, closed.length - TURNS_MAX)));
  const own = {
    run_id: runId,
    turn: record.turns_taken + 1,
    said: shorten(said, REMEMBERED_CHARACTERS_MAX),
    state: "open" as const,
    until_ms: Math.max(now(), ...waitedFor) + turnMs,
    answered_by: null,
    answer: null,
    topics: [],
  };
  return { turns_taken: own.turn, turns: [...turns.filter((one) => !forgotten.has(one)), own] };
}
