import type { ContractOutput } from "#shared/contract";
import type { SupportEmail } from "../contracts.ts";
import { listNumbers, mentions, standsIn } from "../evidence.ts";
import type { Decision } from "./answer.ts";

type Email = ContractOutput<typeof SupportEmail>;

/** A field of a decision whose value the e-mail does not hold: the model made it up. */
export type Ungrounded = "order_id" | "amount" | "account" | "quote";

/**
 * Holds the order number of a decision, the sum and the account of a refund, and the quotation of what moves money or
 * ends the matter, against the whole e-mail, quoted history included. Numbers must be there digit for digit.
 */
export function listUngrounded(decision: Decision, email: Email): Ungrounded[] {
  const source = `${email.subject}\n${email.body}\n${email.order_hint ?? ""}`;
  const { order_id } = { order_id: undefined, ...decision };
  const order: Ungrounded[] = order_id === undefined || mentions(source, order_id) ? [] : ["order_id"];
  const isEvidence = ["refunds", "spam", "nothing-asked"].includes(decision.route);
  const quote: Ungrounded[] = isEvidence && !standsIn(source, decision.quote) ? ["quote"] : [];
  if (decision.route !== "refunds") return [...order, ...quote];
  const { account, amount } = decision;
  return [
    ...order,
    ...quote,
    ...(account === undefined || mentions(source, account) ? [] : (["account"] as const)),
    ...(amount === undefined || listNumbers(source).includes(amount.value) ? [] : (["amount"] as const)),
  ];
}
