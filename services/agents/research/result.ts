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

/**
 * What came of one thing that was asked. `answered`: with evidence. `contradicted`: the question supposes something
 * that the sources deny. `open`: the sources at hand do not answer it, or not all of it.
 */
export interface AnsweredPart {
  readonly question: string;
  readonly status: "answered" | "contradicted" | "open";
  /** Whether sources that are cited say different things. */
  readonly sources_disagree: boolean;
  /** Of its citations. */
  readonly markers: readonly string[];
}

/** Words of a source that speak for or against a claim of the user's document. */
export interface ClaimEvidence {
  readonly stance: "for" | "against";
  /** Words of the claim: `27 kilowatt hours`. */
  readonly wrote: string;
  /** Words of the source: `2.7 kilowatt hours`. */
  readonly says: string;
  readonly marker: string;
  readonly source_id: string;
  readonly quote: string;
}

/** In the order in which they are told. `disputed`: some sources confirm it and others contradict it. */
export const VERDICTS = ["contradicted", "disputed", "unverifiable", "confirmed"] as const;

/** A claim of the user's document, held against the sources. */
export interface CheckedClaim {
  readonly verdict: (typeof VERDICTS)[number];
  readonly claim: string;
  /** Exact words of the document. */
  readonly quote: string;
  /** Contradictions first. */
  readonly evidence: readonly ClaimEvidence[];
}

/** What a run of this team ends with. */
export interface Answer {
  /**
   * `reply`: chat's; `remark`: research's, with nothing looked up; `question`: asked back; `lookup`: from a few
   * passages; `report`.
   */
  readonly kind: "reply" | "remark" | "question" | "lookup" | "report";
  /**
   * `answered`: all that was asked. `open_points`: something stays open, or objections were left when the rounds were
   * spent. `not_found`: the sources hold no answer. `unclear`: what is meant has to be asked first.
   */
  readonly status: "answered" | "not_found" | "open_points" | "unclear";
  readonly answered_by: Holder;
  readonly answer: string;
  readonly citations: readonly Citation[];
  /** Everything that was asked, one by one. */
  readonly parts: readonly AnsweredPart[];
  /** Claims of the user's document, contradictions first. */
  readonly claims: readonly CheckedClaim[];
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
  /** Questions that were looked up, for messages that point back to them. Default: none. */
  readonly topics?: readonly string[];
  /** Labels of what this very delivery read, beside those that came with its message. Default: none. */
  readonly labels?: readonly string[];
}

/** Notes the answer in its conversation, and gives what the run ends with. */
export async function settleAnswer(
  ctx: Pick<Context, "board" | "envelope">,
  { place, answer, limits, topics = [], labels = [] }: Answered,
): Promise<object> {
  await closeTurn(ctx, { place, by: answer.answered_by, answer: answer.answer, topics, limits });
  const came = labelsOf(readTaint(ctx.envelope.conversation.metadata) ?? {});
  return { ...place, ...answer, labels: [...new Set([...came, ...labels])] };
}

/** What an answer has where nothing was looked up. */
export const NOTHING_LOOKED_UP = {
  citations: [],
  parts: [],
  claims: [],
  open: [],
  held_back: [],
  rounds: 0,
} as const satisfies Partial<Answer>;

/** Ends the run with an answer. */
export async function completeAnswer(
  ctx: Pick<Context, "board" | "envelope" | "complete">,
  answered: Answered,
): Promise<HandlerOutcome> {
  return ctx.complete(await settleAnswer(ctx, answered));
}
