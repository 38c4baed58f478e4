import { money } from "./contract-fields.ts";
import type { Money } from "./contract-fields.ts";
import type { ReplyOutcome } from "./contracts.ts";

interface Paid {
  readonly outcome?: ReplyOutcome | undefined;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
}

/**
 * Returns the money that a run paid back, as the field `refunded` of its result; nothing where none was paid, or where
 * it was paid in several currencies, which are no one sum.
 */
export function sumRefunds(settled: readonly Paid[]): { refunded?: Money } {
  const sums = settled
    .filter(({ outcome }) => outcome === "refund_paid")
    .flatMap(({ facts }) => facts.filter(({ label }) => label === "amount"))
    .flatMap(({ value }) => {
      // As refunds writes it: "42.50 EUR".
      const [sum, currency] = value.split(" ");
      return money.safeParse({ value: Number(sum), currency }).data ?? [];
    });
  const [first] = sums;
  if (first === undefined || sums.some(({ currency }) => currency !== first.currency)) return {};
  const cents = sums.reduce((total, { value }) => total + Math.round(value * 100), 0);
  return { refunded: { value: cents / 100, currency: first.currency } };
}
