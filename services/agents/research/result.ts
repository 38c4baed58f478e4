import { z } from "zod";
import { contract } from "#shared/contract";
import { labelsOf, readTaint } from "#shared/guard";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { closeTurn, HOLDERS } from "./front-desk/agent.ts";
import type { ConversationPlace } from "./contracts.ts";

/** Has no pattern and no bound: sensitive data in it is replaced by `[card]` and the like before the check. */
const text = z.string();

const citation = z.object({
  /** As it stands in the answer, in brackets. */
  marker: text,
  source_id: text,
  title: text,
  publisher: text,
  published: text,
  quote: text,
});

/** `contradicted`: the question supposes what the sources deny. `open`: they do not answer it, or not all of it. */
const answeredPart = z.object({
  question: text,
  status: z.enum(["answered", "contradicted", "open"]),
  /** True where sources that are cited say different things. */
  sources_disagree: z.boolean(),
  /** Of its citations. */
  markers: z.array(text).readonly(),
});

/** Words of a source that, by two readings of a model, speak for or against a claim of the user's document. */
const claimEvidence = z.object({
  stance: z.enum(["for", "against"]),
  marker: text,
  source_id: text,
  quote: text,
});

/** In the order in which they are told. `disputed`: some sources confirm it and others contradict it. */
export const VERDICTS = ["contradicted", "disputed", "unverifiable", "confirmed"] as const;

/** A claim of the user's document with the verdict that a model gives it by the words of the sources. */
const checkedClaim = z.object({
  verdict: z.enum(VERDICTS),
  claim: text,
  /** Exact words of the document. */
  quote: text,
  /** Contradictions first. */
  evidence: z.array(claimEvidence).readonly(),
});

const answerForm = z.object({
  /**
   * `reply`: chat's; `remark`: research's, with nothing looked up; `question`: asked back; `lookup`: from a few
   * passages; `report`.
   */
  kind: z.enum(["reply", "remark", "question", "lookup", "report"]),
  /**
   * `answered`: all that was asked. `open_points`: something stays open, or objections were left when the rounds were
   * spent. `not_found`: the sources hold no answer. `unclear`: what is meant has to be asked first.
   */
  status: z.enum(["answered", "not_found", "open_points", "unclear"]),
  answered_by: z.enum(HOLDERS),
  answer: text,
  citations: z.array(citation).readonly(),
  /** Everything that was asked, one by one. */
  parts: z.array(answeredPart).readonly(),
  /** Claims of the user's document, contradictions first. */
  claims: z.array(checkedClaim).readonly(),
  /** Objections that are left, and questions without an answer. */
  open: z.array(text).readonly(),
  held_back: z
    .array(z.object({ source_id: text, title: text, reasons: z.array(text).readonly() }))
    .readonly(),
  /** Versions of a report that were written; 0 where none was. */
  rounds: z.int().nonnegative(),
});

export const ResearchResult = contract(
  "research.result@2",
  answerForm.extend({
    conversation_id: text,
    turn: z.int().positive(),
    /** Sources whose untrusted words the answer may rest on. */
    labels: z.array(text),
  }),
  { description: "An answer in a conversation, with its citations and what stays open." },
);

export type Citation = z.output<typeof citation>;
export type AnsweredPart = z.output<typeof answeredPart>;
export type CheckedClaim = z.output<typeof checkedClaim>;
export type Answer = z.output<typeof answerForm>;

export interface Answered {
  readonly place: ConversationPlace;
  readonly answer: Answer;
  /** Questions that were looked up, for messages that point back to them. Default: none. */
  readonly topics?: readonly string[];
  /** Labels of what this very delivery read, beside those that came with its message. Default: none. */
  readonly labels?: readonly string[];
}

/** Notes the answer in its conversation, and gives what the run ends with. */
export async function settleAnswer(
  ctx: Pick<Context, "board" | "envelope">,
  { place, answer, topics = [], labels = [] }: Answered,
): Promise<object> {
  await closeTurn(ctx, { place, by: answer.answered_by, answer: answer.answer, topics });
  const came = labelsOf(readTaint(ctx.envelope.conversation.metadata) ?? {});
  return { ...place, ...answer, labels: [...new Set([...came, ...labels])] };
}

/** Fields of an answer for which nothing was looked up. */
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
