import { z } from "zod";
import { contract } from "#shared/contract";
import { language } from "../contract-fields.ts";
import { decided, RefundsRequest, TechnicalIssue } from "../contracts.ts";

/** What a variant found out, in the form of a run's result. */
export const Filed = contract("eval.filed@1", z.object({ decided }), {
  description: "What was decided about an e-mail.",
});

/** One prompt's whole answer. */
export const OneAnswer = contract(
  "eval.one-answer@1",
  z.object({
    ...decided.omit({ score: true, reason: true }).shape,
    language,
    subject: z.string().min(1).max(300),
    body: z.string().min(1).max(5000).meta({ "x-surgeon-writes": true }),
  }),
  { description: "Everything that a help desk decides about an e-mail, and the answer to it." },
);

/** What the routing variant takes out of an e-mail for each category. */
export const extracts = {
  refunds: RefundsRequest.schema.pick({ order_id: true, reason: true }).partial().extend({
    amount: decided.shape.amount,
  }),
  technical: TechnicalIssue.schema.pick({ symptoms: true, text: true }),
  operations: decided.pick({ kind: true, order_id: true }),
  nothing: z.object({}),
} as const;
