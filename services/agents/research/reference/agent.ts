import { contract, withCheck } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import { checkQuotes } from "../text.ts";
import {
  analysis as analysisForm,
  ReferenceDocument,
  ResearchRequest,
  PROMPT_TOKENS_MAX,
} from "../contracts.ts";
import { standIns } from "../recordings.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "analyse");

const ReferenceAnalysis = contract("reference.analysis@2", analysisForm, {
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

/** Reads a document of the user's, and hands it to research with what was made of it. */
export const reference = agent("reference@1", {
  accepts: ReferenceDocument,
  to: { research: ResearchRequest },
  description: "Reads a user's document and hands it, with its claims and questions, to research.",
  capabilities: ["document-analysis"],
  answers: [ReferenceAnalysis],
  standIns: { analyse: standIns.analyse },
  needs: { analyse: { fields: ["/title", "/text", "/wish"] } },
  contextTokensMax: PROMPT_TOKENS_MAX,
  guard: { mayCause: [] },
  handle: async ({ conversation, title, text, wish }, ctx) => {
    const analysis = await ctx.model("analyse", {
      instructions: INSTRUCTIONS,
      input: { title, text, wish },
      answers: withCheck(ReferenceAnalysis, ({ claims }) => checkQuotes(claims, () => text, "/claims")),
    });
    const asked = wish.trim() === "" ? `What holds of "${title}"?` : wish;
    return ctx.handoff(
      "research",
      { conversation, question: asked, context: [], reference: { document: { title, text }, analysis } },
      {
        handoffType: "research_delegation",
        reason: `${analysis.claims.length} claims and ${analysis.questions.length} questions`,
        expectedOutput: "a report on what other sources say",
      },
    );
  },
});
