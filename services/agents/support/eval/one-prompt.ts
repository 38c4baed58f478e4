import { agent, readPrompt, team } from "#shared/runtime";
import { SupportEmail } from "../contracts.ts";
import { OneAnswer } from "./contracts.ts";
import { readEmail } from "../read-email.ts";

const PROMPTS = new URL("prompts.md", import.meta.url);

const NO_MODEL = { category: "escalation", language: "other", subject: "No model is set", body: "Not read." };

/** One call that does the whole job, with none of the team's tools: what a pipeline has to be better than. */
const onePrompt = agent("one-prompt@1", {
  accepts: SupportEmail,
  answers: [OneAnswer],
  standIns: { answer: () => NO_MODEL },
  handle: async (email, ctx) => {
    const { language, subject, body, ...decided } = await ctx.model("answer", {
      instructions: readPrompt(PROMPTS, "one-prompt"),
      input: readEmail(email),
      answers: OneAnswer,
      temperature: 0,
    });
    return ctx.complete({ status: "answered", language, subject, body, decided });
  },
});

export const onePromptTeam = team("support-single-call", [onePrompt]);
