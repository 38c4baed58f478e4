import { z } from "zod";
import { agent, readPrompt, team } from "#shared/runtime";
import { contract } from "#shared/contract";
import { SupportEmail, decided } from "../contracts.ts";
import { readEmail } from "../read-email.ts";
import { language } from "../contract-fields.ts";

/** One prompt's whole answer. */
const OneAnswer = contract(
  "eval.one-answer@1",
  z.object({
    ...decided.omit({ score: true, reason: true }).shape,
    language,
    subject: z.string().min(1).max(300),
    body: z.string().min(1).max(5000).meta({ "x-surgeon-writes": true }),
  }),
  { description: "Everything that a help desk decides about an e-mail, and the answer to it." },
);

const PROMPTS = new URL("prompts.md", import.meta.url);

const NO_MODEL = { category: "escalation", language: "other", subject: "No model is set", body: "Not read." };

/** One call that does the whole job, with none of the team's tools: what a pipeline has to be better than. */
const onePrompt = agent("one-prompt@1", {
  accepts: SupportEmail,
  answers: [OneAnswer],
  standIns: { answer: () => NO_MODEL },
  handle: async (email, ctx) => {
    const {
      language: written,
      subject,
      body,
      ...found
    } = await ctx.model("answer", {
      instructions: readPrompt(PROMPTS, "one-prompt"),
      input: readEmail(email),
      answers: OneAnswer,
      temperature: 0,
    });
    return ctx.complete({ status: "answered", language: written, subject, body, decided: found });
  },
});

export const onePromptTeam = team("support-single-call", [onePrompt]);
