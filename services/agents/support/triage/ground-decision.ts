import type { ContractOutput } from "#shared/contract";
import type { SupportEmail } from "../contracts.ts";
import { listNumbers, mentions, standsIn } from "../evidence.ts";
import type { Decision } from "./answer.ts";

type Email = ContractOutput<typeof SupportEmail>;

/** A field of a decision whose value the e-mail does not hold: the model made it up. */
export type Ungrounded = "order_id" | "amount" | "account" | "quote";

/**
 * Holds the order number of a decision, and the sum, the account and the quotation of a refund, against the whole
 * e-mail, quoted history included. Numbers must be there digit for digit, however they are written around the digits.
 */
export function listUngrounded(decision: Decision, email: Email): Ungrounded[] {
  const source = `${email.subject}\n${email.body}\n${email.order_hint ?? ""}`;
  const { order_id } = { order_id: undefined, ...decision };
  const order: Ungrounded[] = order_id === undefined || mentions(source, order_id) ? [] : ["order_id"];
  if (decision.route !== "refunds") return order;
  const { account, amount, quote } = decision;
  return [
    ...order,
    ...(account === undefined || mentions(source, account) ? [] : (["account"] as const)),
    ...(amount === undefined || listNumbers(source).includes(amount.value) ? [] : (["amount"] as const)),
    ...(standsIn(source, quote) ? [] : (["quote"] as const)),
  ];
}
