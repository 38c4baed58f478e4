import { contract } from "#shared/contract";
import { analysis } from "../contract-fields.ts";

/** A document's claims, and the questions to look up about it. */
export const ReferenceAnalysis = contract("reference.analysis@2", analysis, {
  description: "A document's summary, its claims with its own words, and the questions it leaves.",
  check: ({ claims, questions }) =>
    claims.length + questions.length > 0
      ? []
      : [
          {
            path: "/questions",
            code: "nothing_to_look_up",
            message: "there is neither a claim nor a question",
          },
        ],
});

export interface ReferenceInput {
  readonly title: string;
  readonly text: string;
  /** The user's question about it; may be empty. */
  readonly wish: string;
}
