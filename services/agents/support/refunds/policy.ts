import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import type { RefundsRequest } from "../contracts.ts";
import { CURRENCIES, money } from "../contract-fields.ts";
import type { Currency, Money } from "../contract-fields.ts";
import { isBuyer } from "../outside/ports.ts";
import type { Order } from "../outside/ports.ts";
import { listNumbers, standsIn } from "../evidence.ts";

export const RefundClaim = contract(
  "refunds.claim@2",
  z.object({
    wants: z.enum(["money_back", "if_lost", "replacement", "no_money", "unclear"]),
    /** The sentence that says so, word for word. */
    quote: sensitive(z.string().min(1).max(1000)),
    /** Null: the whole price. */
    amount: money.nullable().meta({ "x-locked": true }),
    payout_elsewhere: z.boolean(),
  }),
  { description: "What the customer asks for now: money back, something else, or neither clearly." },
);

/** The house rules on refunds. Sums are in units of the currency, periods in days. */
interface RefundPolicy {
  /** Highest sum a machine pays by itself; a currency that is not named here goes to a person. */
  readonly paidMax: Readonly<Partial<Record<Currency, number>>>;
  /** Time to change one's mind, and to ask without a reason. */
  readonly withdrawalDays: number;
  /** Time in which a fault is the shop's. */
  readonly warrantyDays: number;
}

export const REFUND_POLICY: RefundPolicy = {
  paidMax: {
    EUR: 250,
    USD: 250,
    GBP: 220,
    CHF: 250,
    PLN: 1_000,
    BRL: 1_200,
    SEK: 2_500,
    NOK: 2_500,
    DKK: 1_800,
  },
  withdrawalDays: 30,
  warrantyDays: 730,
};

type RefundDecision =
  | { readonly kind: "pay"; readonly amount: Money }
  | { readonly kind: "decline" | "already_refunded" }
  | {
      readonly kind: "escalate";
      readonly cause: "over_limit" | "conflicting_facts" | "payout_elsewhere" | "unclear";
      readonly finding: string;
    };

type Request = ContractOutput<typeof RefundsRequest>;

const DAY_MS = 86_400_000;

/** Reasons that name no fault of the shop. */
const WITHOUT_FAULT: readonly Request["reason"][] = ["changed_mind", "other"];

/**
 * Decides a refund by the house rules. Pure. Nothing the customer writes can raise what is paid: the order's price and
 * the policy bound it, it goes back to where it came from, and the order is the sender's own. The second reading only
 * takes decisions away from the machine. @param asked.text - The customer's words that the claim was read from.
 */
export function decideRefund(
  asked: {
    readonly request: Request;
    readonly claim: ContractOutput<typeof RefundClaim>;
    readonly text: string;
    readonly order: Order;
    readonly atMs: number;
  },
  policy: RefundPolicy = REFUND_POLICY,
): RefundDecision {
  const { request, claim, order, atMs } = asked;
  if (!isBuyer(order, request.customer_email)) {
    return escalate("conflicting_facts", "the order belongs to another customer than the sender");
  }
  if (order.status === "refunded") return { kind: "already_refunded" };
  if (order.total <= 0 || order.status === "unpaid") return { kind: "decline" };
  if (request.account !== undefined || claim.payout_elsewhere) {
    return escalate(
      "payout_elsewhere",
      "the customer wants the money in another account than the one that paid",
    );
  }
  const amount = amountOf(request, order);
  if (amount === null)
    return escalate("conflicting_facts", "the currency asked for is not the one the order was paid in");
  if (toCents(amount.value) > toCents(order.total)) {
    return escalate("conflicting_facts", "the sum asked for is higher than the order's price");
  }
  const conflict = findConflict(claim, { amount, order, text: asked.text });
  if (conflict !== null) return escalate(conflict.cause, conflict.finding);
  const period = periodOf(request, order, atMs, policy);
  if (period === "unknown")
    return escalate("conflicting_facts", "the order's date is missing or in the future");
  if (period === "over") return { kind: "decline" };
  if (toCents(amount.value) > toCents(policy.paidMax[amount.currency] ?? 0)) {
    return escalate("over_limit", "the sum is above what may be paid without a person");
  }
  return { kind: "pay", amount };
}

function escalate(
  cause: Extract<RefundDecision, { kind: "escalate" }>["cause"],
  finding: string,
): RefundDecision {
  return { kind: "escalate", cause, finding };
}

/** Null: asked for in another currency than paid. */
function amountOf(request: Request, order: Order): Money | null {
  const paidIn = order.currency.toUpperCase();
  if (request.amount !== null) return request.amount.currency === paidIn ? request.amount : null;
  const known = CURRENCIES.find((name) => name === paidIn);
  return known === undefined ? null : { value: order.total, currency: known };
}

function periodOf(
  request: Request,
  order: Order,
  atMs: number,
  policy: RefundPolicy,
): "within" | "over" | "unknown" {
  const ageMs = atMs - Date.parse(order.bought_at);
  // A day of grace: clocks and time zones differ between the shop and us.
  if (!Number.isFinite(ageMs) || ageMs < -DAY_MS) return "unknown";
  const days = WITHOUT_FAULT.includes(request.reason) ? policy.withdrawalDays : policy.warrantyDays;
  return ageMs <= days * DAY_MS ? "within" : "over";
}

type Claim = ContractOutput<typeof RefundClaim>;

interface Asked {
  /** Amount to pay by the first reading. */
  readonly amount: Money;
  readonly order: Pick<Order, "total" | "currency" | "status">;
  readonly text: string;
}

interface Conflict {
  readonly cause: "conflicting_facts" | "unclear";
  /** In words for an operator. */
  readonly finding: string;
}

/** Returns what in the second reading speaks against paying by machine; null for nothing. */
function findConflict(claim: Claim, asked: Asked): Conflict | null {
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

/** Whole cents, so that sums are compared as what is paid and not as binary fractions. */
function toCents(value: number): number {
  return Math.round(value * 100);
}
