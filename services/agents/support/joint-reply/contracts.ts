import { z } from "zod";
import { contract } from "#shared/contract";
import { branchOf } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import { customerEmail, language, summary } from "../contract-fields.ts";
import { decided, ESCALATION_CAUSES, REPLY_OUTCOMES, ReplyRequest } from "../contracts.ts";

export const ReplyPlan = contract(
  "reply.plan@1",
  z.object({
    customer_email: customerEmail,
    language: language.default("en"),
    /** One sentence for each request, in the order of the branches. */
    requests: z.array(summary).min(1).max(100),
  }),
  { description: "The requests of one e-mail that are answered together." },
);

export const ReplyPart = contract(
  "reply.part@1",
  z.object({
    status: z.enum(["answered", "escalated", "archived"]),
    /** Set where the request was answered. */
    outcome: z.enum(REPLY_OUTCOMES).optional(),
    /** Set where a person decides. */
    cause: z.enum(ESCALATION_CAUSES).optional(),
    facts: ReplyRequest.schema.shape.facts,
    steps: ReplyRequest.schema.shape.steps,
    decided: decided.optional(),
  }),
  { description: "What became of one request of an e-mail with several." },
);

/** Returns true when a message is one of several requests of an e-mail, whose answer `joint-reply` waits for. */
export function isOneOfSeveral({ meta }: Pick<Envelope, "meta">): boolean {
  return branchOf(meta) !== null;
}

/** Returns a key for an effect that happens once for each request of a run; of a branch it holds the index. */
export function requestKey(action: string, { meta }: Pick<Envelope, "meta">): string {
  const branch = branchOf(meta);
  return `${action}:${meta.run_id}${branch === null ? "" : `:${branch.index}`}`;
}
