import { agent, readPrompt } from "#shared/runtime";
import { ReplyRequest } from "../contracts.ts";
import { ReplyIncompleteError } from "../errors.ts";
import { ReplyDraft } from "./answer.ts";
import type { ReplyInput } from "./answer.ts";
import { draftReply } from "../rehearsal/reply.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "draft");

/** Drafts the customer's answer in their language and ends the run with it. */
export const reply = agent("reply@1", {
  accepts: ReplyRequest,
  description: "Drafts the answer in the customer's language and completes the run.",
  capabilities: ["replying"],
  answers: [ReplyDraft],
  standIns: { draft: draftReply },
  guard: { mayCause: [], instructions: "withhold" },
  handle: async (request, ctx) => {
    const { outcome, language, summary, facts, steps, decided } = request;
    const input: ReplyInput = { outcome, language, summary, facts, steps };
    const { subject, body } = await ctx.model("draft", {
      instructions: INSTRUCTIONS,
      input,
      answers: ReplyDraft,
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
