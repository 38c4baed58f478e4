import { z } from "zod";
import { agent, constraintFields, readPrompt } from "#shared/runtime";
import { language as languageField } from "../contract-fields.ts";
import { ReplyRequest } from "../contracts.ts";
import { ReplyIncompleteError } from "../errors.ts";
import { ReplyDraft, TONES } from "./answer.ts";
import type { ReplyInput } from "./answer.ts";
import { draftReply } from "../rehearsal/reply.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "draft");

/** Drafts the customer's answer, in the language that they prefer or else wrote in, and ends the run with it. */
export const reply = agent("reply@1", {
  accepts: ReplyRequest,
  description: "Drafts the answer in the customer's language and completes the run.",
  capabilities: ["replying"],
  preferences: z.object({ language: languageField.optional(), tone: z.enum(TONES).optional() }),
  constraints: z.object({ max_words: constraintFields.max_words }),
  answers: [ReplyDraft],
  needs: {
    draft: {
      fields: ["/outcome", "/language", "/summary", "/facts", "/steps"],
      preferences: ["/tone"],
      constraints: ["/max_words"],
    },
  },
  standIns: { draft: draftReply },
  guard: { mayCause: [], instructions: "withhold" },
  handle: async (request, ctx) => {
    const { outcome, summary, facts, steps, decided } = request;
    const { language = request.language } = ctx.preferences;
    const input: ReplyInput = { outcome, language, summary, facts, steps };
    const { subject, body } = await ctx.model("draft", {
      instructions: INSTRUCTIONS,
      input,
      answers: ReplyDraft,
      wordsIn: ["/body"],
    });
    const missing = facts.filter((fact) => !body.includes(fact.value));
    if (missing.length > 0) throw new ReplyIncompleteError(missing.map((fact) => fact.label));
    const told = decided === undefined ? {} : { decided };
    return ctx.complete({
      status: "answered",
      outcome,
      to: request.customer_email,
      language,
      subject,
      body,
      ...told,
    });
  },
});
