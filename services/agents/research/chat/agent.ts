import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import { remark, ChatTurn, ResearchRequest, PROMPT_TOKENS_MAX } from "../contracts.ts";
import { standIns } from "../recordings.ts";
import { completeAnswer, NOTHING_LOOKED_UP } from "../result.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "decide");

const ChatDecision = contract(
  "chat.decision@1",
  z.object({
    decision: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("reply"), text: remark }),
      z.object({ kind: z.literal("quick_lookup"), question: z.string().min(1).max(1500), because: remark }),
    ]),
  }),
  { description: "A reply, or the question that research is to look up." },
);

/** Talks; where something has to be looked up, hands it to research, whose answer takes the place of a reply. */
export const chat = agent("chat@1", {
  accepts: ChatTurn,
  to: { research: ResearchRequest },
  description: "Replies, or hands what has to be looked up to research.",
  capabilities: ["conversation"],
  tier: "router",
  answers: [ChatDecision],
  standIns: { decide: standIns.decide },
  needs: { decide: { fields: ["/text", "/context"] } },
  contextTokensMax: PROMPT_TOKENS_MAX,
  guard: { mayCause: [] },
  handle: async ({ conversation, text, context }, ctx) => {
    const { decision } = await ctx.model("decide", {
      instructions: INSTRUCTIONS,
      input: { text, context },
      answers: ChatDecision,
      shortens: ["/context"],
      temperature: 0,
    });
    if (decision.kind === "quick_lookup")
      return ctx.handoff(
        "research",
        { conversation, question: decision.question, context, reference: null },
        {
          handoffType: "quick_lookup",
          reason: decision.because,
          expectedOutput: "an answer with citations, in place of chat's",
        },
      );
    const reply = { kind: "reply", status: "answered", answered_by: "chat", answer: decision.text } as const;
    return completeAnswer(ctx, { place: conversation, answer: { ...NOTHING_LOOKED_UP, ...reply } });
  },
});
