import { contract } from "#shared/contract";
import { analysis } from "../contract-fields.ts";

/** A document's claims, and the questions to look up about it. */
export const ReferenceAnalysis = contract("reference.analysis@1", analysis, {
  description: "A document's summary, its claims with its own words, and the questions it leaves.",
});

export interface ReferenceInput {
  readonly title: string;
  readonly text: string;
  /** The user's question about it; may be empty. */
  readonly wish: string;
}
