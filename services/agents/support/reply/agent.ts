import { z } from "zod";
import { agent, readPrompt } from "#shared/runtime";
import { constraintFields } from "#shared/runtime/terms";
import { isOneOfSeveral, ReplyPart } from "../joint-reply/contracts.ts";
import { language as languageField } from "../contract-fields.ts";
import { ReplyRequest } from "../contracts.ts";
import { standIns } from "../rehearsal/stand-ins.ts";
import { sumRefunds, checkDraft, DraftClaims, ReplyDraft, TONES } from "./check-draft.ts";
import { sendOnce } from "./send-once.ts";
import type { Outside } from "../outside/ports.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "draft");

/**
 * Drafts the customer's answer in the language that they prefer or else wrote in, sends it where the task came by mail,
 * and ends the run with it. What was done for one of several requests goes to `joint-reply` instead, which answers them
 * together.
 */
export function createReply(outside: Pick<Outside, "mail">) {
  return agent("reply@1", {
    accepts: ReplyRequest,
    to: { "joint-reply": ReplyPart },
    description: "Drafts the answer in the customer's language, sends it and completes the run.",
    capabilities: ["replying"],
    preferences: z.object({ language: languageField.optional(), tone: z.enum(TONES).optional() }),
    constraints: z.object({ max_words: constraintFields.max_words }),
    answers: [ReplyDraft, DraftClaims],
    needs: {
      draft: {
        fields: ["/outcome", "/language", "/summary", "/facts", "/steps"],
        preferences: ["/tone"],
        constraints: ["/max_words"],
      },
      check: { fields: ["/subject", "/body"] },
    },
    standIns: { draft: standIns.draft, check: standIns.check },
    guard: { mayCause: ["mail"] },
    handle: async (request, ctx) => {
      const { outcome, summary, facts, steps, decided } = request;
      const told = decided === undefined ? {} : { decided };
      if (isOneOfSeveral(ctx.envelope)) {
        const part = { status: "answered", outcome, facts, steps, ...told } as const;
        return ctx.handoff("joint-reply", part, { reason: `one of several requests: ${outcome}` });
      }
      const { language = request.language } = ctx.preferences;
      const draft = await ctx.model("draft", {
        instructions: INSTRUCTIONS,
        input: { outcome, language, summary, facts, steps },
        answers: ReplyDraft,
        wordsIn: ["/body"],
      });
      await checkDraft(ctx, draft, [{ outcome, facts, steps }]);
      const mailed = await sendOnce(ctx, { to: request.customer_email, ...draft }, outside.mail);
      return ctx.complete({
        status: "answered",
        outcome,
        to: request.customer_email,
        language,
        ...draft,
        ...sumRefunds([{ outcome, facts }]),
        ...mailed,
        ...told,
      });
    },
  });
}
