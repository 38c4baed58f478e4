import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { quote } from "../contract-fields.ts";
import { amount, dateText } from "./answer.ts";
import { readAmounts, findDay, holdsWords } from "./evidence/amounts.ts";

const locked = { "x-locked": true } as const;

/** The second, blind reading of an invoice: amount to pay, account, currency and days, each with its quotation. */
export const SecondReading = contract(
  "invoice.second-reading@2",
  z.object({
    kind: z.enum(["invoice", "credit_note", "receipt", "other"]),
    amount: z.object({ value: amount, quote }).nullable(),
    /** Null where the document names no account. */
    account: z.object({ value: sensitive(z.string().min(4).max(60).meta(locked)), quote }).nullable(),
    /** ISO 4217. */
    currency: z.object({ value: z.string().regex(/^[A-Z]{3}$/), quote }).nullable(),
    issue_date: z.object({ value: dateText, quote }).nullable(),
    due_date: z.object({ value: dateText, quote }).nullable(),
  }),
  {
    description:
      "What is to be paid, to which account, in which currency and when, each with the words that say so.",
  },
);

type Answer = z.output<typeof SecondReading.schema>;

/** A second reading without what its own quotations do not hold. */
export type QuotedReading = Pick<Answer, "kind"> & {
  readonly [Field in Exclude<keyof Answer, "kind">]: NonNullable<Answer[Field]>["value"] | null;
};

/** Takes of a second reading what it quotes: words that stand in the document, and hold the value. */
export function quoted(answer: Answer, text: string): QuotedReading {
  const { kind, amount: sum, account, currency } = answer;
  const stands = (words: string): boolean => flatten(text).includes(flatten(words));
  const holdsSum = (words: string, value: number): boolean =>
    readAmounts(words).some((one) => Math.abs(one).toFixed(4) === Math.abs(value).toFixed(4));
  const dayOf = (day: Answer["issue_date"]): string | null =>
    day !== null && stands(day.quote) && findDay(day.quote, day.value, false) !== null ? day.value : null;
  return {
    kind,
    amount: sum !== null && stands(sum.quote) && holdsSum(sum.quote, sum.value) ? sum.value : null,
    account:
      account !== null && stands(account.quote) && holdsWords(account.quote, account.value)
        ? account.value
        : null,
    currency: currency !== null && stands(currency.quote) ? currency.value : null,
    issue_date: dayOf(answer.issue_date),
    due_date: dayOf(answer.due_date),
  };
}

const flatten = (text: string): string => text.normalize("NFKC").replaceAll(/\s+/g, " ").trim();
