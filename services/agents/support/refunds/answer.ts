import { z } from "zod";
import { contract, sensitive } from "#shared/contract";

/** What the customer really asks for, read a second time before money moves. */
export const RefundClaim = contract(
  "refunds.claim@1",
  z.object({
    wants: z.enum(["money_back", "replacement", "unclear"]).meta({
      "x-synonyms": {
        money_back: ["refund", "money", "reimbursement"],
        replacement: ["exchange", "new item", "swap"],
        unclear: ["unknown", "unsure"],
      },
    }),
    payout_elsewhere: z.boolean(),
    because: sensitive(z.string().min(1).max(500).meta({ "x-surgeon-writes": true })),
  }),
  { description: "What the customer asks for: money back, a replacement, or neither clearly." },
);

export interface ClaimInput {
  readonly summary: string;
  readonly text: string;
}
