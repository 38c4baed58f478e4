import { agent, readPrompt } from "#shared/runtime";
import { ContentRequest } from "../contracts.ts";
import { keepQuoted } from "../keep-quoted.ts";
import { standIns } from "../recordings.ts";
import { ContentAnswer } from "./answer.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "analyse");

/**
 * Evaluates a content by the criteria of whoever hands it over. A finding counts only with the content's own words, and
 * a criterion without one is not judged.
 */
export const contentAnalysis = agent("content-analysis@1", {
  accepts: ContentRequest,
  guard: { mayCause: [] },
  description: "Evaluates contents by given criteria, with the words that every finding rests on.",
  capabilities: ["content-analysis"],
  answers: [ContentAnswer],
  needs: {
    analyse: {
      fields: ["/title", "/content_to_analyze", "/analysis_type", "/criteria"],
      shortens: ["/content_to_analyze"],
    },
  },
  standIns: { analyse: standIns.analyse },
  handle: async (request, ctx) => {
    const { title, content_to_analyze: content, analysis_type, criteria } = request;
    const { findings } = await ctx.model("analyse", {
      instructions: INSTRUCTIONS,
      input: request,
      answers: ContentAnswer,
    });
    const asked = findings.filter(({ criterion }) => criteria.includes(criterion));
    const { kept, unsupported } = keepQuoted(asked, content);
    const judged = new Set(kept.map(({ criterion }) => criterion));
    return ctx.complete({
      status: "analysed",
      title,
      analysis_type,
      findings: kept,
      unsupported,
      not_judged: criteria.filter((criterion) => !judged.has(criterion)),
    });
  },
});
