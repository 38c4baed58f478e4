import { z } from "zod";
import { contract } from "#shared/contract";
import { storyFinding } from "../contract-fields.ts";
import type { Criterion } from "../contract-fields.ts";

export const AnalysisAnswer = contract(
  "story-analysis.findings@2",
  z.object({ findings: z.array(storyFinding).max(20) }),
  {
    // Quotations are full of quotation marks, which JSON has to escape and XML has not.
    answersIn: "xml",
    description:
      "What a story does well and badly by the criteria asked for, each with the words it rests on.",
  },
);

export interface AnalysisInput {
  readonly title: string;
  readonly story_content: string;
  readonly analysis_criteria: readonly Criterion[];
}
