import type { StandIn } from "#shared/runtime";
import { readWish } from "./read-wish.ts";
import type { ChatInput } from "../chat/answer.ts";

/** Decides by what each sentence is: a wish to know, thanks, or talk. */
export const decideReply: StandIn = ({ text }: ChatInput) => {
  const { questions, isThanks, orders } = readWish(text);
  if (questions.length > 0) {
    const question = questions.join(" ").slice(0, 1500);
    return {
      decision: {
        kind: "quick_lookup",
        question,
        because: "The person wants to know something about the world.",
      },
    };
  }
  if (orders > 0)
    return {
      decision: { kind: "reply", text: "I cannot do that. Is there something I may look up for you?" },
    };
  const reply = isThanks
    ? "You are welcome. Tell me if I may look up anything else."
    : "I see. If there is something you would like to know, I can have it looked up.";
  return { decision: { kind: "reply", text: reply } };
};
