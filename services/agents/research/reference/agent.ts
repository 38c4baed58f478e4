import { agent, readPrompt } from "#shared/runtime";
import { checkQuotes, withCheck } from "../check-quotes.ts";
import { ReferenceDocument, ResearchRequest } from "../contracts.ts";
import { PROMPT_TOKENS_MAX } from "../limits.ts";
import { ReferenceAnalysis } from "./answer.ts";
import type { ReferenceInput } from "./answer.ts";
import { standIns } from "../recordings.ts";

const to = { research: ResearchRequest };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "analyse");

/** Reads a document of the user's, and hands it to research with what was made of it. */
export const reference = agent("reference@1", {
  accepts: ReferenceDocument,
  to,
  description: "Reads a user's document and hands it, with its claims and questions, to research.",
  capabilities: ["document-analysis"],
  answers: [ReferenceAnalysis],
  standIns: { analyse: standIns.analyse },
  needs: { analyse: { fields: ["/title", "/text", "/wish"] } },
  contextTokensMax: PROMPT_TOKENS_MAX,
  guard: { mayCause: [] },
  handle: async ({ conversation, title, text, wish }, ctx) => {
    const input: ReferenceInput = { title, text, wish };
    const analysis = await ctx.model("analyse", {
      instructions: INSTRUCTIONS,
      input,
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
