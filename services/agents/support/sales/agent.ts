import { z } from "zod";
import { agent, readPrompt } from "#shared/runtime";
import { contract } from "#shared/contract";
import { ReplyRequest, SalesLead } from "../contracts.ts";
import type { Decided } from "../contracts.ts";
import { actOnce } from "../outside/ports.ts";
import type { Outside } from "../outside/ports.ts";
import { isOneOfSeveral, requestKey, ReplyPart } from "../joint-reply/contracts.ts";
import { standIns } from "../rehearsal/stand-ins.ts";
import { customerOf } from "../contract-fields.ts";

const LeadScore = contract(
  "sales.score@1",
  z.object({
    score: z
      .int()
      .min(0)
      .max(100)
      .meta({ "x-scale": 100, "x-aliases": ["lead_score"] }),
    reasons: z.array(z.string().min(1).max(200).meta({ "x-surgeon-writes": true })).max(10),
  }),
  { description: "How likely somebody is to buy: 0 not at all, 100 certainly." },
);

/** A lead qualifies above this score, not at it. */
const QUALIFYING_SCORE = 50;

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "score");

/** Scores a lead; above 50 it goes into the CRM and gets an answer, else it is archived. */
export function createSales(outside: Pick<Outside, "crm">) {
  return agent("sales@1", {
    accepts: SalesLead,
    guard: { mayCause: ["lead"] },
    outside: true,
    to: { reply: ReplyRequest, "joint-reply": ReplyPart },
    description: "Scores leads and enters the promising ones into the CRM.",
    capabilities: ["sales"],
    answers: [LeadScore],
    standIns: { score: standIns.score },
    handle: async (lead, ctx) => {
      const { customer_email, language, summary, text } = lead;
      const { company = null, seats = null, budget = null } = lead;
      const { score, reasons } = await ctx.model("score", {
        instructions: INSTRUCTIONS,
        input: { company, seats, budget, text },
        answers: LeadScore,
        temperature: 0,
      });
      const decided: Decided = { category: "sales", score, qualified: score > QUALIFYING_SCORE };
      if (score <= QUALIFYING_SCORE) {
        if (!isOneOfSeveral(ctx.envelope))
          return ctx.complete({ status: "archived", score, reasons, language, decided });
        const part = { status: "archived", decided } as const;
        return ctx.handoff("joint-reply", part, { reason: `one of several requests, lead score ${score}` });
      }
      const { lead_id } = await actOnce(ctx, {
        key: requestKey("lead", ctx.envelope),
        port: outside.crm,
        draft: { customer_email, company, seats, score, summary },
      });
      const facts = [{ label: "reference", value: lead_id }];
      const told = { outcome: "lead_welcomed", facts, decided, ...customerOf(lead) } as const;
      return ctx.handoff("reply", told, { reason: `lead score ${score}` });
    },
  });
}
