import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import type { Language } from "../contract-fields.ts";
import type { ReplyRequest } from "../contracts.ts";

export const ReplyDraft = contract(
  "reply.draft@1",
  z.object({
    subject: z.string().min(1).max(200).meta({ "x-surgeon-writes": true }),
    body: z.string().min(1).max(6000).meta({ "x-surgeon-writes": true }),
  }),
  { description: "The answer that the customer reads." },
);

/** What a drafted answer tells its reader was done: read by itself, blind to what was done, before it is sent. */
export const DraftClaims = contract(
  "reply.claims@1",
  z.object({
    says: z
      .array(
        z.object({
          what: z.enum(["refund", "replacement", "cancellation", "compensation"]),
          /** The sentence that says so, word for word. */
          quote: sensitive(z.string().min(1).max(1000)),
        }),
      )
      .max(20),
  }),
  { description: "What a letter says was done or will be done." },
);

/** How the customer wants to be addressed. */
export const TONES = ["friendly", "formal", "brief"] as const;

type Request = ContractOutput<typeof ReplyRequest>;

export interface ReplyInput {
  readonly outcome: Request["outcome"];
  readonly language: Language;
  readonly summary: string;
  readonly facts: Request["facts"];
  readonly steps: readonly string[];
  /** Absent where the customer has not said. */
  readonly preferences?: { readonly tone?: (typeof TONES)[number] };
}
