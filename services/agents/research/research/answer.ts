import { z } from "zod";
import { contract } from "#shared/contract";
import { quote, remark, reading } from "../contract-fields.ts";
import { LOOKUP_PARTS_MAX, QUESTIONS_MAX } from "../limits.ts";
import type { Passage } from "../outside/library.ts";

const asked = z.string().min(1).max(600);

/** How a request is to be answered. */
export const ResearchCourse = contract(
  "research.course@2",
  z.object({
    course: z.discriminatedUnion("kind", [
      /** Nothing is asked: thanks, a comment. */
      z.object({ kind: z.literal("remark"), reply: remark }),
      /** What is meant cannot be told: it points back to several things, or to nothing that was said. */
      z.object({ kind: z.literal("ask_back"), ask: remark }),
      z.object({ kind: z.literal("lookup"), questions: z.array(asked).min(1).max(LOOKUP_PARTS_MAX) }),
      z.object({
        kind: z.literal("investigate"),
        goal: remark,
        questions: z.array(asked).min(1).max(QUESTIONS_MAX),
      }),
    ]),
  }),
  { description: "Whether a request needs nothing, a question back, a quick lookup or an investigation." },
);

/** What the question takes for granted and a passage denies. */
const denial = z.object({
  /** Words of the question. */
  assumed: z.string().min(1).max(300),
  quote,
  passage_id: z.string().max(200),
});

const lookedUp = z.object({
  question_id: z.string().max(8),
  /** Empty: the passages hold no answer. */
  sentences: z.array(reading).max(5),
  /** What of the question the passages do not answer; empty: they answer all of it. */
  missing: z.string().max(600),
  denied: denial.nullable(),
  /** Whether the passages that are cited say different things. */
  disagree: z.boolean(),
});

/** Quick answers, one for each question: sentences, each with a quote, and what stays open. */
export const LookupAnswer = contract(
  "research.lookup@3",
  z.object({ parts: z.array(lookedUp).min(1).max(LOOKUP_PARTS_MAX) }),
  {
    description:
      "For each question sentences that answer it, each with the exact words of the passage it rests on, and what stays open.",
  },
);

export type LookedUp = z.output<typeof lookedUp>;

/**
 * A message, with what was looked up before in this conversation, the oldest first. Thanks and comments are left out.
 */
export interface CourseInput {
  readonly question: string;
  readonly topics: readonly { readonly said: string; readonly questions: readonly string[] }[];
}

export interface LookupInput {
  readonly parts: readonly {
    readonly question_id: string;
    readonly question: string;
    readonly passages: readonly Passage[];
  }[];
}
