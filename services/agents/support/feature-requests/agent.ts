import { agent, readPrompt } from "#shared/runtime";
import { FeatureIdea, ReplyRequest } from "../contracts.ts";
import { actOnce } from "../outside/act-once.ts";
import type { Outside } from "../outside/ports.ts";
import { requestKey } from "../branch.ts";
import { IdeaNote } from "./answer.ts";
import type { IdeaInput } from "./answer.ts";
import { standIns } from "../rehearsal/stand-ins.ts";

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
      const { customer_email, language, summary, text, idea } = wish;
      const input: IdeaInput = { idea, text };
      const note = await ctx.model("note", { instructions: INSTRUCTIONS, input, answers: IdeaNote });
      const body = `${note.benefit}\n\nIn the customer's words:\n${idea}`;
      const draft = {
        queue: "product",
        title: `[${note.area}] ${note.title}`,
        body,
        severity: "low",
      } as const;
      const { ticket_id } = await actOnce(ctx, {
        key: requestKey("idea", ctx.envelope),
        port: outside.tickets,
        draft,
      });
      const facts = [{ label: "idea", value: ticket_id }];
      const customer = { customer_email, language, summary, text };
      const told = {
        outcome: "idea_noted",
        facts,
        decided: { category: "feature-requests" },
        ...customer,
      } as const;
      return ctx.handoff("reply", told, { reason: "the wish is noted" });
    },
  });
}
