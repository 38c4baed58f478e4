import { agent, readPrompt } from "#shared/runtime";
import { ChatTurn, ResearchRequest } from "../contracts.ts";
import { conversationLimitsOf } from "../setup.ts";
import type { ResearchSetup } from "../setup.ts";
import { PROMPT_TOKENS_MAX } from "../limits.ts";
import { completeAnswer, NOTHING_LOOKED_UP } from "../result.ts";
import { ChatDecision } from "./answer.ts";
import type { ChatInput } from "./answer.ts";
import { standIns } from "../recordings.ts";

const to = { research: ResearchRequest };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "decide");

/** Talks; where something has to be looked up, hands it to research, whose answer takes the place of a reply. */
export function createChat(setup: ResearchSetup) {
  const limits = conversationLimitsOf(setup);
  return agent("chat@1", {
    accepts: ChatTurn,
    to,
    description: "Replies, or hands what has to be looked up to research.",
    capabilities: ["conversation"],
    tier: "router",
    answers: [ChatDecision],
    standIns: { decide: standIns.decide },
    needs: { decide: { fields: ["/text", "/context"] } },
    contextTokensMax: PROMPT_TOKENS_MAX,
    guard: { mayCause: [] },
    handle: async ({ conversation, text, context }, ctx) => {
      const input: ChatInput = { text, context };
      const { decision } = await ctx.model("decide", {
        instructions: INSTRUCTIONS,
        input,
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
      return completeAnswer(ctx, {
        place: conversation,
        limits,
        answer: {
          kind: "reply",
          status: "answered",
          answered_by: "chat",
          answer: decision.text,
          ...NOTHING_LOOKED_UP,
        },
      });
    },
  });
}
