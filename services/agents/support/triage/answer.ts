import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { language, money, orderId, summary } from "../contract-fields.ts";
import { ESCALATION_CAUSES, operationsKind, refundReason } from "../contracts.ts";
import type { SupportEmail } from "../contracts.ts";
import { listNumbers, mentions, standsIn } from "../evidence.ts";

/** Most requests that one e-mail is taken apart into; what goes beyond waits for a person. */
const REQUESTS_MAX = 8;

const read = {
  language,
  summary,
  /** The customer's sentence that asks for this, word for word: evidence, which no repair writes. */
  quote: z.string().min(1).max(500),
};
const shortText = z.string().min(1).max(300).meta({ "x-surgeon-writes": true });

const decision = z.discriminatedUnion("route", [
  z.object({
    route: z.literal("refunds"),
    ...read,
    order_id: orderId.optional(),
    /** Left out: the whole order. */
    amount: money.optional(),
    reason: refundReason,
    account: sensitive(z.string().min(4).max(64).meta({ "x-locked": true })).optional(),
  }),
  z.object({
    route: z.literal("technical"),
    ...read,
    product: z.string().min(1).max(200),
    symptoms: z.array(shortText).max(10),
    order_id: orderId.optional(),
  }),
  z.object({ route: z.literal("feature-requests"), ...read, idea: shortText }),
  z.object({
    route: z.literal("sales"),
    ...read,
    company: z.string().min(1).max(200).optional(),
    seats: z.int().positive().max(1_000_000).optional(),
    budget: money.optional(),
  }),
  z.object({
    route: z.literal("operations"),
    ...read,
    kind: operationsKind,
    order_id: orderId.optional(),
    wants_refund: z.boolean(),
  }),
  z.object({
    route: z.literal("escalation"),
    ...read,
    cause: z.enum(ESCALATION_CAUSES),
    order_id: orderId.optional(),
  }),
  z.object({ route: z.literal("spam"), ...read }),
  /** Thanks and other words that ask for nothing. */
  z.object({ route: z.literal("nothing-asked"), ...read }),
]);

/**
 * The router's one answer: every request of the e-mail in its order, each with its route and what the agent there
 * needs, so that nobody parses it again. A route that is not in the list is no answer at all.
 */
export const TriageAnswer = contract(
  "triage.requests@1",
  z.object({ requests: z.array(decision).min(1).max(REQUESTS_MAX) }),
  { description: "Where the requests of an e-mail go, with the parameters of whoever handles them." },
);

export type Decision = ContractOutput<typeof TriageAnswer>["requests"][number];

/** What the router is shown of an e-mail. */
export interface TriageInput {
  readonly from: string;
  readonly subject: string;
  /** The customer's own newest words. */
  readonly text: string;
  /** What they quote beneath, cut short: an order number may stand only there. */
  readonly quoted: string;
  readonly order_hint: string | null;
  readonly attachments: readonly string[];
}

type Email = ContractOutput<typeof SupportEmail>;

/** A field of a decision whose value the e-mail does not hold: the model made it up. */
type Ungrounded = "order_id" | "amount" | "account" | "quote";

/**
 * Holds the order number of a decision, the sum and the account of a refund, and the quotation of what moves money or
 * ends the matter, against the whole e-mail, quoted history included. Numbers must be there digit for digit.
 */
export function listUngrounded(found: Decision, email: Email): Ungrounded[] {
  const source = `${email.subject}\n${email.body}\n${email.order_hint ?? ""}`;
  const { order_id } = { order_id: undefined, ...found };
  const order: Ungrounded[] = order_id === undefined || mentions(source, order_id) ? [] : ["order_id"];
  const isEvidence = ["refunds", "spam", "nothing-asked"].includes(found.route);
  const quote: Ungrounded[] = isEvidence && !standsIn(source, found.quote) ? ["quote"] : [];
  if (found.route !== "refunds") return [...order, ...quote];
  const { account, amount } = found;
  return [
    ...order,
    ...quote,
    ...(account === undefined || mentions(source, account) ? [] : (["account"] as const)),
    ...(amount === undefined || listNumbers(source).includes(amount.value) ? [] : (["amount"] as const)),
  ];
}
