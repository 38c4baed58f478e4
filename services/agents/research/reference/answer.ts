import { contract } from "#shared/contract";
import { analysis } from "../contract-fields.ts";

/** What a document says, and what is to be looked up about it. */
export const ReferenceAnalysis = contract("reference.analysis@1", analysis, {
  description: "A document's summary, its claims with its own words, and the questions it leaves.",
});

export interface ReferenceInput {
  readonly title: string;
  readonly text: string;
  /** What the user wants to know of it; may be empty. */
  readonly wish: string;
}
