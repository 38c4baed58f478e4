import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { quote } from "../contract-fields.ts";
import { amount } from "./answer.ts";
import { readAmounts } from "./evidence/amounts.ts";
import { holdsWords } from "./evidence/lines.ts";

const locked = { "x-locked": true } as const;

/** The second, blind reading of an invoice: amount to pay, account and currency, each with its quotation. */
export const SecondReading = contract(
  "invoice.second-reading@1",
  z.object({
    kind: z.enum(["invoice", "credit_note", "receipt", "other"]),
    amount: z.object({ value: amount, quote }).nullable(),
    /** Null where the document names no account. */
    account: z.object({ value: sensitive(z.string().min(4).max(60).meta(locked)), quote }).nullable(),
    /** ISO 4217. */
    currency: z.object({ value: z.string().regex(/^[A-Z]{3}$/), quote }).nullable(),
  }),
  {
    description:
      "What is to be paid, to which account and in which currency, each with the words that say so.",
  },
);

type Answer = z.output<typeof SecondReading.schema>;

/** A second reading without what its own quotations do not hold. */
export interface QuotedReading {
  readonly kind: Answer["kind"];
  readonly amount: number | null;
  readonly account: string | null;
  readonly currency: string | null;
}

/** Takes of a second reading what it quotes: words that stand in the document, and hold the value. */
export function quoted({ kind, amount: sum, account, currency }: Answer, text: string): QuotedReading {
  const stands = (words: string): boolean => flatten(text).includes(flatten(words));
  const holdsSum = (words: string, value: number): boolean =>
    readAmounts(words).some((one) => Math.abs(one).toFixed(4) === Math.abs(value).toFixed(4));
  return {
    kind,
    amount: sum !== null && stands(sum.quote) && holdsSum(sum.quote, sum.value) ? sum.value : null,
    account:
      account !== null && stands(account.quote) && holdsWords(account.quote, account.value)
        ? account.value
        : null,
    currency: currency !== null && stands(currency.quote) ? currency.value : null,
  };
}

const flatten = (text: string): string => text.normalize("NFKC").replaceAll(/\s+/g, " ").trim();
