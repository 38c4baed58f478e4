import { agent, readPrompt } from "#shared/runtime";
import { AnalysisRequest, Manuscript } from "../contracts.ts";
import { keepQuoted } from "../keep-quoted.ts";
import { standIns } from "../recordings.ts";
import { AnalysisAnswer } from "./answer.ts";
import type { AnalysisInput } from "./answer.ts";

const to = { "fiction-editing": Manuscript };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "analyse");

/**
 * Analyses a story by the criteria asked for and gives it back. What it says without the text's own words does not
 * count.
 */
export const storyAnalysis = agent("story-analysis@1", {
  accepts: AnalysisRequest,
  guard: { mayCause: [] },
  to,
  description: "Analyses stories by given criteria, with the words every finding rests on.",
  capabilities: ["story-analysis"],
  answers: [AnalysisAnswer],
  standIns: { analyse: standIns.analyse },
  handle: async ({ title, story_content: text, analysis_criteria: criteria, not_done }, ctx) => {
    const input: AnalysisInput = { title, story_content: text, analysis_criteria: criteria };
    const answer = await ctx.model("analyse", { instructions: INSTRUCTIONS, input, answers: AnalysisAnswer });
    const asked = answer.findings.filter(({ criterion }) => criteria.includes(criterion));
    const { kept, unsupported } = keepQuoted(asked, text);
    return ctx.handoff(
      "fiction-editing",
      { title, text, criteria, analysis: { findings: kept, unsupported }, not_done },
      {
        handoffType: "analysis_result",
        reason: `${kept.length} findings`,
        expectedOutput: "an edited story",
      },
    );
  },
});
