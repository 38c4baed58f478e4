import type { Money } from "../contract-fields.ts";
import type { Order } from "../outside/ports.ts";
import { dropOrdersToMachines } from "../reading/drop-orders-to-machines.ts";
import { findNoDemand } from "../reading/asks-money-back.ts";
import { claimsPromise } from "../reading/claims-promise.ts";
import { listMoney } from "../reading/find-money.ts";
import { foldText } from "../reading/fold-text.ts";
import { hasPhrase } from "../reading/phrase-score.ts";
import { toCents } from "./to-cents.ts";

/** Words for a part of a sum, folded, in the team's languages. */
const PARTS = [
  "half|partial|partly|part of|third of|quarter of|percent|halfte|teilweise|teilbetrag|prozent|la moitie|moitie|partiel",
  "mitad|parcial|meta del|meta dell|parziale|polow|czesci|metade|helft|gedeelte|deels",
];

const JAPANESE_PARTS = /半分|半額|一部/u;

/** A number with two decimals that no currency follows: a sum, a version, a date. */
const BARE_SUM = /(?<![\d.,\p{L}-])(\d{1,6})[.,](\d{2})(?![\d\p{L}]|[.,]\d)/gu;

interface Asked {
  /** What would be paid. */
  readonly amount: Money;
  readonly order: Pick<Order, "total" | "currency" | "status">;
  /** True where the request names no sum, so that the whole price would be paid. */
  readonly isWhole: boolean;
}

/**
 * Returns what in the customer's own words speaks against paying by machine, in words for an operator; null for
 * nothing. A promise of the shop that they refer to proves nothing. A sum above the price, in another currency, or
 * other than the price where the whole price would be paid, is for a person, however a model has read it.
 */
export function findConflict(text: string, { amount, order, isWhole }: Asked): string | null {
  if (dropOrdersToMachines(text).hadOrders) return "the e-mail gives orders to machines";
  const noDemand = findNoDemand(text, order.status === "lost");
  if (noDemand !== null) return noDemand;
  if (claimsPromise(text)) return "the customer refers to a promise that is not on record";
  const sums = listMoney(text);
  if (sums.some(({ currency }) => currency !== amount.currency)) {
    return "the e-mail names a sum in another currency than the order's";
  }
  const values = [...sums.map(({ value }) => value), ...listBareSums(text)];
  if (values.some((value) => toCents(value) > toCents(order.total))) {
    return "the e-mail names a sum above the order's price";
  }
  if (!isWhole) return null;
  if (values.some((value) => toCents(value) !== toCents(order.total))) {
    return "the e-mail names a sum that is not the order's price";
  }
  const asksForPart = hasPhrase(foldText(text), PARTS) || JAPANESE_PARTS.test(text);
  return asksForPart ? "the customer asks for a part of the price without naming the sum" : null;
}

function listBareSums(text: string): number[] {
  return [...text.matchAll(BARE_SUM)].map(([, whole, cents]) => Number(`${whole}.${cents}`));
}
