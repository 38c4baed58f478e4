import { z } from "zod";
import { contract } from "#shared/contract";
import { complaint } from "../contract-fields.ts";
import { findDose } from "../find-dose.ts";

/** The complaint, or the next question. */
export const IntakeAnswer = contract(
  "intake.collected@2",
  z.object({
    /** Null: nothing that hurts or is wrong was said yet. */
    complaint: complaint.nullable(),
    /** Asked where there is no complaint. */
    question: z.string().min(5).max(300).nullable().meta({ "x-surgeon-writes": true }),
    /** Whether help may be needed within the hour. `no` does not overrule what was found before. */
    emergency: z.enum(["yes", "no", "cannot_tell"]),
  }),
  {
    description: "What the patient came for, or the next question; never a diagnosis.",
    check: ({ complaint: said, question, emergency }) => {
      if (said === null && question === null && emergency === "no")
        return [{ path: "/question", code: "missing", message: "without a complaint something is asked" }];
      return findDose(question ?? "", "/question");
    },
  },
);
