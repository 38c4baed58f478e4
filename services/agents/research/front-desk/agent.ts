import { agent } from "#shared/runtime";
import { ChatTurn, Message, ReferenceDocument, ResearchRequest } from "../contracts.ts";
import { takeTurn } from "../conversation/conversation.ts";
import { TURN_MS_DEFAULT } from "../limits.ts";
import type { ResearchSetup } from "../outside/library.ts";

/**
 * Takes messages into their conversations, one at a time, and hands each to whoever has that conversation: research,
 * once it has answered there, else chat. Asks no model: who has it is a record, which no text can talk over.
 */
export function createFrontDesk({ turnMs = TURN_MS_DEFAULT }: ResearchSetup) {
  return agent("front-desk@1", {
    accepts: Message,
    boards: ["conversation"],
    to: { chat: ChatTurn, reference: ReferenceDocument, research: ResearchRequest },
    description: "Takes the next message of a conversation to whoever has that conversation.",
    guard: {
      mayCause: [],
      untrusted: { payload: { "/ask": "user" } },
      injection: { reaction: "flag" },
    },
    handle: async ({ conversation_id: named, after, ask }, ctx) => {
      const conversationId = named ?? ctx.envelope.meta.run_id;
      const said = ask.kind === "message" ? ask.text : `${ask.title}: ${ask.wish}`;
      const taken = await takeTurn(ctx, { conversationId, after, said, turnMs });
      const { place: conversation, holder, context } = taken;
      if (ask.kind === "document") {
        const { title, text, wish } = ask;
        return ctx.handoff("reference", { conversation, title, text, wish }, { handoffType: "document" });
      }
      if (holder === "chat")
        return ctx.handoff("chat", { conversation, text: ask.text, context }, { handoffType: "message" });
      return ctx.handoff(
        "research",
        { conversation, question: ask.text, context, reference: null },
        { handoffType: "continued_conversation", reason: "research has this conversation" },
      );
    },
  });
}
