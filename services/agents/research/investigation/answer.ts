import { z } from "zod";
import { contract } from "#shared/contract";
import { remark } from "../contract-fields.ts";
import type { Question } from "../contract-fields.ts";
import { QUESTIONS_MAX } from "../limits.ts";

const order = z.object({ question_id: z.string().max(8), terms: z.string().min(1).max(600) });

/** Which questions are given to researchers, each with the words to search by. */
export const ResearchPlan = contract(
  "investigation.plan@1",
  z.object({ orders: z.array(order).min(1).max(QUESTIONS_MAX) }),
  { description: "For each question the words to search by." },
);

/** What is searched again, with other words; empty: what was found will do. */
export const ResearchReview = contract(
  "investigation.review@1",
  z.object({ again: z.array(order).max(QUESTIONS_MAX), because: remark }),
  { description: "Questions that are to be searched again with other words." },
);

export interface PlanInput {
  readonly goal: string;
  readonly questions: readonly Question[];
  /** Of the user's document; null where there is none. */
  readonly reference: { readonly title: string; readonly summary: string } | null;
}

export interface ReviewInput {
  readonly goal: string;
  readonly questions: readonly Question[];
  readonly tried: readonly {
    readonly question_id: string;
    readonly terms: string;
    /** What was found; null where the researcher did not come back. */
    readonly statements: readonly string[] | null;
  }[];
}
