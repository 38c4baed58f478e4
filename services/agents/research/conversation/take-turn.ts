import { now } from "#shared/clock";
import type { Context } from "#shared/runtime";
import type { ConversationContext, ConversationPlace } from "../contract-fields.ts";
import { ConversationBusyError } from "../errors.ts";
import { REMEMBERED_CHARACTERS_MAX } from "../limits.ts";
import type { ConversationLimits } from "../limits.ts";
import { shorten } from "../reading/text.ts";
import { EMPTY, holderOf, openRecord, RECORD } from "./record.ts";
import type { ConversationRecord, Holder } from "./record.ts";

export interface TakenTurn {
  readonly place: ConversationPlace;
  readonly holder: Holder;
  readonly context: ConversationContext;
}

/**
 * Enters a message into its conversation and waits for its turn: one message of a conversation is answered at a time,
 * in the order in which they were taken. Entered once, however often it is delivered.
 *
 * Messages that are submitted at the same moment may be taken in either order; a client that minds names the run
 * before in `after`. An earlier message that is not answered in `turnMs` is not waited for any longer.
 *
 * @throws {ConversationBusyError} Not its turn yet: the message is postponed, which costs no delivery.
 */
export async function takeTurn(
  ctx: Pick<Context, "board" | "envelope">,
  message: {
    readonly conversationId: string;
    readonly after: string | null;
    readonly said: string;
    readonly limits: ConversationLimits;
  },
): Promise<TakenTurn> {
  const { conversationId, after, limits } = message;
  const { run_id: runId, timestamp } = ctx.envelope.meta;
  const board = openRecord(ctx, { conversationId, limits });
  const before = (await board.read()).entries.get(RECORD)?.value ?? EMPTY;
  const isKnown = before.turns.some((turn) => turn.run_id === runId || turn.run_id === after);
  const hasWaited = now() > Date.parse(timestamp) + limits.turnMs;
  if (after !== null && !isKnown && !hasWaited) throw new ConversationBusyError(limits.againMs);
  await board.update("take-turn", RECORD, (record) => enter(record ?? EMPTY, { runId, ...message }));
  const record = (await board.read()).entries.get(RECORD)?.value ?? EMPTY;
  const own = record.turns.find((turn) => turn.run_id === runId)?.turn ?? record.turns_taken;
  const earlier = record.turns.filter(({ turn }) => turn < own);
  if (earlier.some(({ state, until_ms: untilMs }) => state === "open" && untilMs > now()))
    throw new ConversationBusyError(limits.againMs);
  await board.update("begin-turn", RECORD, (taken) => begin(taken ?? EMPTY, { runId, limits }));
  return {
    place: { conversation_id: conversationId, turn: own },
    holder: holderOf({ ...record, turns: earlier }),
    context: contextOf(earlier, limits.turnsShown),
  };
}

function enter(
  record: ConversationRecord,
  message: { readonly runId: string; readonly said: string; readonly limits: ConversationLimits },
): ConversationRecord {
  const { runId, said, limits } = message;
  if (record.turns.some(({ run_id: id }) => id === runId)) return record;
  const turn = record.turns_taken + 1;
  const own = {
    run_id: runId,
    turn,
    said: shorten(said, REMEMBERED_CHARACTERS_MAX),
    state: "open" as const,
    until_ms: Math.max(now(), ...waitedFor(record)) + limits.turnMs,
    answered_by: null,
    answer: null,
    topics: [],
  };
  const turns = record.turns.map((one) =>
    one.state === "open" && one.until_ms <= now() ? { ...one, state: "given_up" as const } : one,
  );
  const closed = turns.filter(({ state }) => state !== "open");
  const forgotten = new Set(closed.slice(0, Math.max(0, closed.length - limits.turnsMax)));
  return { turns_taken: turn, turns: [...turns.filter((one) => !forgotten.has(one)), own] };
}

/** Its time begins when its turn comes, not when it was entered. */
function begin(
  record: ConversationRecord,
  { runId, limits }: { readonly runId: string; readonly limits: ConversationLimits },
): ConversationRecord {
  const turns = record.turns.map((turn) =>
    turn.run_id === runId ? { ...turn, until_ms: now() + limits.turnMs } : turn,
  );
  return { ...record, turns };
}

/** Deadlines of the open turns. */
function waitedFor({ turns }: ConversationRecord): number[] {
  return turns.filter(({ state }) => state === "open").map(({ until_ms: untilMs }) => untilMs);
}

function contextOf(turns: ConversationRecord["turns"], shown: number): ConversationContext {
  const answered = turns.flatMap(({ said, answered_by: by, answer, topics }) =>
    by === null || answer === null ? [] : [{ said, answered_by: by, answer, topics }],
  );
  return answered.slice(-shown);
}
