import { z } from "zod";
import { contract } from "#shared/contract";
import { remark, reading } from "../contract-fields.ts";
import type { ConversationContext } from "../contract-fields.ts";
import { QUESTIONS_MAX } from "../limits.ts";
import type { Passage } from "../outside/library.ts";

const asked = z.string().min(1).max(600);

/** How a request is to be answered. */
export const ResearchCourse = contract(
  "research.course@1",
  z.object({
    course: z.discriminatedUnion("kind", [
      /** Nothing is asked: thanks, a comment. */
      z.object({ kind: z.literal("remark"), reply: remark }),
      z.object({ kind: z.literal("lookup"), question: asked }),
      z.object({
        kind: z.literal("investigate"),
        goal: remark,
        questions: z.array(asked).min(1).max(QUESTIONS_MAX),
      }),
    ]),
  }),
  { description: "Whether a request needs nothing, a quick lookup or an investigation." },
);

/** A quick answer: sentences, each with a quote. Empty: the passages hold no answer. */
export const LookupAnswer = contract("research.lookup@1", z.object({ sentences: z.array(reading).max(5) }), {
  description: "Sentences that answer a question, each with the exact words of the passage it rests on.",
});

export interface CourseInput {
  readonly question: string;
  readonly context: ConversationContext;
  /** What was made of the user's document; null where there is none. */
  readonly analysis: { readonly summary: string; readonly questions: readonly string[] } | null;
}

export interface LookupInput {
  readonly question: string;
  readonly passages: readonly Passage[];
}
