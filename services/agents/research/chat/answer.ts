import { z } from "zod";
import { contract } from "#shared/contract";
import { remark } from "../contract-fields.ts";
import type { ConversationContext } from "../contract-fields.ts";

/** What chat makes of a message: its own reply, or a lookup by research, whose answer takes the place of a reply. */
export const ChatDecision = contract(
  "chat.decision@1",
  z.object({
    decision: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("reply"), text: remark }),
      z.object({ kind: z.literal("quick_lookup"), question: z.string().min(1).max(1500), because: remark }),
    ]),
  }),
  { description: "A reply, or the question that research is to look up." },
);

export interface ChatInput {
  readonly text: string;
  readonly context: ConversationContext;
}
