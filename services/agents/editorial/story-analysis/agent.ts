import { z } from "zod";
import { agent, readPrompt } from "#shared/runtime";
import { contract } from "#shared/contract";
import { AnalysisRequest, Manuscript, storyFinding } from "../contracts.ts";
import { keepQuoted } from "../keep-quoted.ts";
import { standIns } from "../recordings.ts";

const AnalysisAnswer = contract(
  "story-analysis.findings@2",
  z.object({ findings: z.array(storyFinding).max(20) }),
  {
    // Quotations are full of quotation marks, which JSON has to escape and XML has not.
    answersIn: "xml",
    description:
      "What a story does well and badly by the criteria asked for, each with the words it rests on.",
  },
);

const to = { "fiction-editing": Manuscript };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "analyse");

/** Analyses a story by the criteria asked for. A statement without the text's own words does not count. */
export const storyAnalysis = agent("story-analysis@1", {
  accepts: AnalysisRequest,
  guard: { mayCause: [] },
  to,
  description: "Analyses stories by given criteria, with the words every finding rests on.",
  capabilities: ["story-analysis"],
  answers: [AnalysisAnswer],
  standIns: { analyse: standIns.analyse },
  handle: async ({ title, story_content: text, analysis_criteria: criteria, not_done }, ctx) => {
    const answer = await ctx.model("analyse", {
      instructions: INSTRUCTIONS,
      input: { title, story_content: text, analysis_criteria: criteria },
      answers: AnalysisAnswer,
    });
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
