import { z } from "zod";
import { contract } from "#shared/contract";
import { complaint } from "../contract-fields.ts";
import type { Turn } from "../contract-fields.ts";
import { findNoQuestion, findUnsafeWords } from "../safe-words.ts";

/** The complaint, or the next question. */
export const IntakeAnswer = contract(
  "intake.collected@1",
  z.object({
    /** Null: nothing that hurts or is wrong was said yet. */
    complaint: complaint.nullable(),
    /** Asked where there is no complaint. */
    question: z.string().min(5).max(300).nullable().meta({ "x-surgeon-writes": true }),
    /** Whether what was said may be an emergency. True is believed; false does not overrule what was found before. */
    may_be_emergency: z.boolean(),
  }),
  {
    description: "What the patient came for, or the next question; never a diagnosis.",
    check: ({ complaint: said, question }) => {
      if (said === null && question === null)
        return [{ path: "/question", code: "missing", message: "without a complaint something is asked" }];
      return question === null
        ? []
        : [...findNoQuestion(question, "/question"), ...findUnsafeWords(question, "/question")];
    },
  },
);

export interface IntakeInput {
  readonly turns: readonly Turn[];
}
