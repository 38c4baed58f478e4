import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { money } from "../contract-fields.ts";

/** What the customer really asks for, read a second time, blind to the first reading, before money moves. */
export const RefundClaim = contract(
  "refunds.claim@2",
  z.object({
    wants: z.enum(["money_back", "if_lost", "replacement", "no_money", "unclear"]).meta({
      "x-synonyms": {
        money_back: ["refund", "money", "reimbursement"],
        replacement: ["exchange", "new item", "swap"],
        no_money: ["withdrawn", "no refund", "nothing"],
        unclear: ["unknown", "unsure"],
      },
    }),
    /** The sentence that says so, word for word. */
    quote: sensitive(z.string().min(1).max(1000)),
    /** Null: the whole price. */
    amount: money.nullable().meta({ "x-locked": true }),
    payout_elsewhere: z.boolean(),
  }),
  { description: "What the customer asks for now: money back, something else, or neither clearly." },
);

export interface ClaimInput {
  readonly order_id: string;
  readonly text: string;
}
