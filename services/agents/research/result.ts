import { labelsOf, readTaint } from "#shared/guard";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { closeTurn } from "./conversation/close-turn.ts";
import type { Holder } from "./conversation/record.ts";
import type { ConversationPlace, Objection } from "./contract-fields.ts";
import type { ConversationLimits } from "./limits.ts";
import type { HeldBack } from "./outside/library.ts";

/** The words of a source that a part of the answer rests on. */
export interface Citation {
  /** As it stands in the answer, in brackets. */
  readonly marker: string;
  readonly source_id: string;
  readonly title: string;
  readonly publisher: string;
  readonly published: string;
  readonly quote: string;
}

/** What a run of this team ends with. */
export interface Answer {
  /** `reply`: chat's; `remark`: research's, with nothing looked up; `lookup`: from a few passages; `report`. */
  readonly kind: "reply" | "remark" | "lookup" | "report";
  /** `not_found`: the sources hold no answer; `open_points`: objections were left when the rounds were spent. */
  readonly status: "answered" | "not_found" | "open_points";
  readonly answered_by: Holder;
  readonly answer: string;
  readonly citations: readonly Citation[];
  /** What is still to be objected to, or was not found. */
  readonly open: readonly Pick<Objection, "kind" | "what">[] | readonly string[];
  readonly held_back: readonly HeldBack[];
  /** Versions of a report that were written; 0 where none was. */
  readonly rounds: number;
}

export interface Answered {
  readonly place: ConversationPlace;
  readonly answer: Answer;
  readonly limits: ConversationLimits;
  /** Labels of what this very delivery read, beside those that came with its message. Default: none. */
  readonly labels?: readonly string[];
}

/** Notes the answer in its conversation, and gives what the run ends with. */
export async function settleAnswer(
  ctx: Pick<Context, "board" | "envelope">,
  { place, answer, limits, labels = [] }: Answered,
): Promise<object> {
  await closeTurn(ctx, { place, by: answer.answered_by, answer: answer.answer, limits });
  const came = labelsOf(readTaint(ctx.envelope.conversation.metadata) ?? {});
  return { ...place, ...answer, labels: [...new Set([...came, ...labels])] };
}

/** Ends the run with an answer. */
export async function completeAnswer(
  ctx: Pick<Context, "board" | "envelope" | "complete">,
  answered: Answered,
): Promise<HandlerOutcome> {
  return ctx.complete(await settleAnswer(ctx, answered));
}
