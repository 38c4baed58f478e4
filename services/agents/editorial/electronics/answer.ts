import { contract } from "#shared/contract";
import { checkDesigns, designReport } from "../contracts.ts";
import type { Requirement } from "../requirements.ts";

/**
 * A design for each requirement, or a question where none is possible. Every number is recomputed before it is
 * believed.
 */
export const DesignAnswer = contract("electronics.design@2", designReport, {
  description:
    "Parts for each circuit, with what follows from them; a question where a requirement cannot be met.",
  check: (answer) => checkDesigns(answer),
});

export interface DesignInput {
  readonly requirements: readonly Requirement[];
  readonly constraints: readonly string[];
}
