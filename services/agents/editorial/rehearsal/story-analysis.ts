import type { StandIn } from "#shared/runtime";
import { readParagraphs } from "../reading/paragraphs.ts";
import type { AnalysisInput } from "../story-analysis/answer.ts";
import { cutQuote } from "./cut-quote.ts";

const QUOTE_LENGTH = { min: 2, max: 160 } as const;

/** Notes one place for each criterion, with the beginning of its paragraph. It judges nothing. */
export const analyseStory: StandIn = ({ story_content, analysis_criteria: criteria }: AnalysisInput) => {
  const paragraphs = readParagraphs(story_content);
  const findings = criteria.map((criterion, index) => {
    const at = index % Math.max(1, paragraphs.length);
    const quote = cutQuote(paragraphs[at] ?? "", QUOTE_LENGTH.max);
    return {
      criterion,
      finding: `Look at the ${criterion.replaceAll("_", " ")} here.`,
      quote,
      paragraph: at + 1,
    };
  });
  return { findings: findings.filter(({ quote }) => quote.length >= QUOTE_LENGTH.min) };
};
