import { z } from "zod";
import { rateHandoffs } from "#shared/feedback";
import { drawHandoffs, listHandoffs as declaredBy } from "#shared/runtime";
import { RATE_SPANS } from "#shared/store/feedback";
import { operation, READERS } from "../operation.ts";
import { requireTotals, teamsFor } from "../tenancy/may-see.ts";

const handoffSchema = z.object({
  team: z.string().nullable().meta({ description: "Null: counted, and declared by no team loaded here." }),
  from: z.string(),
  to: z.string(),
  handoff_type: z.string(),
  contract: z.string(),
  loop: z.boolean().meta({ description: "A run may go back along it." }),
  done: z.int(),
  failed: z.int(),
  success_rate: z.number().nullable().meta({ description: "0 to 1; null where none has ended." }),
  is_declared: z.boolean(),
});

/** Who may send what to whom, and what became of it. */
export const listHandoffs = operation({
  id: "listHandoffs",
  summary: "List the matrix of handoffs with their rates",
  scopes: READERS,
  query: z.object({ span: z.enum(RATE_SPANS).default("hour") }),
  status: 200,
  answers: z.object({
    span: z.enum(RATE_SPANS),
    handoffs: z.array(handoffSchema),
    mermaid: z.string().meta({ description: "What is declared, as Mermaid text." }),
  }),
  async handle({ gateway, query, caller }) {
    requireTotals(caller);
    const declared = declaredBy(teamsFor(gateway, caller));
    const rates = await gateway.store.handoffRates.read(query.span);
    return {
      span: query.span,
      handoffs: rateHandoffs(declared, rates),
      mermaid: drawHandoffs(declared),
    };
  },
});
