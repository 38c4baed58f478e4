import type { ContractOutput } from "#shared/contract";
import type { SupportEmail } from "../contracts.ts";
import { claimsPromise } from "../reading/claims-promise.ts";
import { listMoney } from "../reading/find-money.ts";
import { isMarkedOrder, listMarkedOrders } from "../reading/marked-orders.ts";
import type { Decision, TriageInput } from "./answer.ts";

type Email = ContractOutput<typeof SupportEmail>;

/** A field of a decision whose value the e-mail does not hold: the model made it up. */
export type Ungrounded = "order_id" | "amount" | "account";

/**
 * Holds the order number, the sum and the account of a decision against the whole e-mail, quoted history included.
 * Numbers must be there digit for digit; how they are written around the digits does not matter.
 */
export function listUngrounded(decision: Decision, email: Email): Ungrounded[] {
  const source = sourceOf(email);
  const missing: Ungrounded[] = [];
  if ("order_id" in decision && decision.order_id !== undefined && !mentions(source, decision.order_id)) {
    missing.push("order_id");
  }
  if (decision.route !== "refunds") return missing;
  if (decision.account !== undefined && !mentions(source, decision.account)) missing.push("account");
  if (decision.amount !== undefined && !mentionsSum(source, decision.amount.value)) missing.push("amount");
  return missing;
}

/**
 * Returns the decision without an order number that the e-mail holds but does not mark as an order: a phone number or a
 * postcode that a model took for one. The help desk's own `order_hint` counts as marked.
 */
export function dropUnmarkedOrder(decision: Decision, email: Email, format: string): Decision {
  if (!("order_id" in decision) || decision.order_id === undefined) return decision;
  const { order_id, ...others } = decision;
  // A number that the e-mail does not hold at all was made up, which is for a person.
  if (!mentions(sourceOf(email), order_id)) return decision;
  const isHinted = email.order_hint?.toUpperCase() === order_id.toUpperCase();
  return isHinted || isMarkedOrder(`${email.subject}\n${email.body}`, order_id, format) ? decision : others;
}

/**
 * Returns the decisions with the order that the subject marks, where the only refund of the e-mail names none. Words
 * that mark another order themselves, or two orders in the subject, leave the question open.
 */
export function takeOrderFromSubject(
  decisions: readonly Decision[],
  { subject, text }: TriageInput,
  format: string,
): Decision[] {
  const known = new Set(listMarkedOrders(`${subject}\n${text}`, format).map((id) => id.toUpperCase()));
  const [id] = listMarkedOrders(subject, format);
  const isOnly = decisions.filter(({ route }) => route === "refunds").length === 1;
  if (id === undefined || known.size !== 1 || !isOnly) return [...decisions];
  return decisions.map((one) =>
    one.route === "refunds" && one.order_id === undefined ? { ...one, order_id: id } : one,
  );
}

/**
 * Returns true for a refund whose order stands only in what is quoted or forwarded, beside words of a promise: somebody
 * shows us an e-mail in which we are said to have agreed.
 */
export function restsOnQuotedPromise(decision: Decision, { subject, text, quoted }: TriageInput): boolean {
  if (decision.route !== "refunds" || decision.order_id === undefined) return false;
  return !mentions(`${subject}\n${text}`, decision.order_id) && claimsPromise(quoted);
}

function sourceOf(email: Email): string {
  return `${email.subject}\n${email.body}\n${email.order_hint ?? ""}`;
}

/**
 * True when the text holds the value as a word of its own, whatever its case and the spaces inside. A part of a longer
 * number is another number: 10234 is not in A-10234, nor 425 in 425.50.
 */
function mentions(source: string, value: string): boolean {
  const characters = Array.from(value.replaceAll(/\s/g, ""), (one) =>
    one.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&"),
  );
  const before = "(?<![\\p{L}\\d]|[\\p{L}\\d][.,-])";
  const after = "(?![\\p{L}\\d]|[.,-]\\d)";
  return new RegExp(`${before}${characters.join("\\s?")}${after}`, "iu").test(source);
}

function mentionsSum(source: string, value: number): boolean {
  if (listMoney(source).some((sum) => sum.value === value)) return true;
  const forms = [String(value), value.toFixed(2), value.toFixed(2).replace(".", ",")];
  return forms.some((form) => mentions(source, form));
}
