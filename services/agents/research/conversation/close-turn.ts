import type { Context } from "#shared/runtime";
import type { ConversationPlace } from "../contract-fields.ts";
import { REMEMBERED_CHARACTERS_MAX } from "../limits.ts";
import type { ConversationLimits } from "../limits.ts";
import { shorten } from "../reading/text.ts";
import { EMPTY, openRecord, RECORD } from "./record.ts";
import type { Holder } from "./record.ts";

/**
 * Notes the answer of a turn, so that the next message goes on from it. Written before the run ends, once, whatever
 * dies in between: a run that ended without it would leave its conversation waiting.
 */
export async function closeTurn(
  ctx: Pick<Context, "board" | "envelope">,
  closed: {
    readonly place: ConversationPlace;
    readonly by: Holder;
    readonly answer: string;
    /** Questions that were looked up. */
    readonly topics: readonly string[];
    readonly limits: ConversationLimits;
  },
): Promise<void> {
  const { place, by, limits, topics } = closed;
  const { run_id: runId } = ctx.envelope.meta;
  const answer = shorten(closed.answer, REMEMBERED_CHARACTERS_MAX);
  const board = openRecord(ctx, { conversationId: place.conversation_id, limits });
  await board.update("close-turn", RECORD, (record) => {
    const { turns, ...rest } = record ?? EMPTY;
    const closing = turns.map((turn) =>
      turn.run_id === runId
        ? { ...turn, state: "answered" as const, answered_by: by, answer, topics: [...topics] }
        : turn,
    );
    return { ...rest, turns: closing };
  });
}
