import type { ContractOutput } from "#shared/contract";
import type { StandIn } from "#shared/runtime";
import type { ContentRequest } from "../contracts.ts";
import { readParagraphs } from "../reading/paragraphs.ts";
import { cutQuote } from "./cut-quote.ts";

/** Points to one place for each criterion, with the beginning of its paragraph. It judges nothing. */
export const analyseContent: StandIn = ({
  content_to_analyze: content,
  criteria,
}: ContractOutput<typeof ContentRequest>) => {
  const paragraphs = readParagraphs(content);
  const findings = criteria.map((criterion, index) => {
    const at = index % Math.max(1, paragraphs.length);
    const quote = cutQuote(paragraphs[at] ?? "");
    return { criterion, judgement: "partly_met", finding: "Look at this place.", quote, paragraph: at + 1 };
  });
  return { findings: findings.filter(({ quote }) => quote.length >= 2) };
};
