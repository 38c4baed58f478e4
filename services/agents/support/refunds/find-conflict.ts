import type { ContractOutput } from "#shared/contract";
import type { Money } from "../contract-fields.ts";
import { listNumbers, standsIn } from "../evidence.ts";
import type { Order } from "../outside/ports.ts";
import type { RefundClaim } from "./answer.ts";
import { toCents } from "./to-cents.ts";

type Claim = ContractOutput<typeof RefundClaim>;

interface Asked {
  /** What would be paid by the first reading. */
  readonly amount: Money;
  readonly order: Pick<Order, "total" | "currency" | "status">;
  readonly text: string;
}

interface Conflict {
  readonly cause: "conflicting_facts" | "unclear";
  /** In words for an operator. */
  readonly finding: string;
}

/**
 * Returns what in the second reading of a request speaks against paying by machine; null for nothing. "Should it be
 * lost" counts as asking where the shop itself says that the order is lost.
 */
export function findConflict(claim: Claim, asked: Asked): Conflict | null {
  const { wants, quote } = claim;
  if (wants !== "money_back" && !(wants === "if_lost" && asked.order.status === "lost"))
    return { cause: "unclear", finding: `read a second time, the customer wants: ${wants}` };
  if (!standsIn(asked.text, quote)) {
    const finding = "the e-mail does not hold the sentence in which money is said to be asked for";
    return { cause: "conflicting_facts", finding };
  }
  return isSameSum(claim.amount, asked)
    ? null
    : { cause: "conflicting_facts", finding: "read a second time, the sum asked for is another" };
}

/** A sum that the words do not name came from the form of a help desk, which no second reading can know. */
function isSameSum(second: Money | null, { amount, order, text }: Asked): boolean {
  if (second === null)
    return toCents(amount.value) === toCents(order.total) || !listNumbers(text).includes(amount.value);
  return second.currency === amount.currency && toCents(second.value) === toCents(amount.value);
}
