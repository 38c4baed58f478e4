import { z } from "zod";
import { agent, readPrompt } from "#shared/runtime";
import { contract } from "#shared/contract";
import { FeatureIdea, ReplyRequest } from "../contracts.ts";
import { actOnce } from "../outside/ports.ts";
import type { Outside } from "../outside/ports.ts";
import { requestKey } from "../joint-reply/contracts.ts";
import { standIns } from "../rehearsal/stand-ins.ts";
import { customerOf } from "../contract-fields.ts";

const IdeaNote = contract(
  "features.note@1",
  z.object({
    title: z.string().min(1).max(120).meta({ "x-surgeon-writes": true }),
    benefit: z.string().min(1).max(500).meta({ "x-surgeon-writes": true }),
    area: z.enum(["app", "shop", "delivery", "account", "integration", "other"]),
  }),
  { description: "A wish as the product people read it." },
);

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "note");

/** Notes a wish for the product people, once for each run. */
export function createFeatureRequests(outside: Pick<Outside, "tickets">) {
  return agent("feature-requests@1", {
    accepts: FeatureIdea,
    guard: { mayCause: ["idea"] },
    to: { reply: ReplyRequest },
    description: "Notes wishes for the product people.",
    capabilities: ["feature-requests"],
    answers: [IdeaNote],
    standIns: { note: standIns.note },
    handle: async (wish, ctx) => {
      const { text, idea } = wish;
      const note = await ctx.model("note", {
        instructions: INSTRUCTIONS,
        input: { idea, text },
        answers: IdeaNote,
      });
      const title = `[${note.area}] ${note.title}`;
      const body = `${note.benefit}\n\nIn the customer's words:\n${idea}`;
      const { ticket_id } = await actOnce(ctx, {
        key: requestKey("idea", ctx.envelope),
        port: outside.tickets,
        draft: { queue: "product", title, body, severity: "low" },
      });
      const facts = [{ label: "idea", value: ticket_id }];
      const decided = { category: "feature-requests" } as const;
      const told = { outcome: "idea_noted", facts, decided, ...customerOf(wish) } as const;
      return ctx.handoff("reply", told, { reason: "the wish is noted" });
    },
  });
}
