import { z } from "zod";
import { checkDistinct, contract, sensitive } from "#shared/contract";
import { quote } from "../contracts.ts";
import { holdsAmount, holdsDay, holdsWords } from "./evidence.ts";

const text = z.string().min(1).max(300);
const locked = { "x-locked": true } as const;
/** As stated, in the invoice's currency; never computed. Negative on a credit note. */
const amount = z.number().min(-1e12).max(1e12).meta(locked);
const dateText = z.iso.date().meta(locked);
const id = z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/);

/** A party, account or order that the invoice names. */
export const entity = z.object({
  id,
  kind: z.enum(["seller", "buyer", "recipient", "account", "order"]),
  name: sensitive(text),
  /** VAT number of a company, as stated. */
  vat_id: sensitive(text.meta(locked)).nullable(),
  /** Of an account, without spaces: an IBAN, or a number of another kind such as a giro number. */
  iban: sensitive(
    z
      .string()
      .regex(/^[A-Z0-9][A-Z0-9./-]{3,41}$/)
      .meta(locked),
  ).nullable(),
  address: sensitive(text).nullable(),
});

const relationship = z.object({
  from: id,
  relation: z.enum(["bills", "is_paid_to", "delivers_to", "refers_to", "belongs_to"]),
  to: id,
});

const line = z.object({
  description: text,
  quantity: z.number().meta(locked),
  unit_price: amount,
  /** Net, or gross where the whole invoice is. */
  amount,
  /** Percent. */
  tax_rate: z.number().min(0).max(100).nullable(),
});

const tax = z.object({
  /** Percent. */
  rate: z.number().min(0).max(100),
  base: amount.nullable(),
  amount,
});

export const InvoiceAnswer = contract(
  "invoice.extraction@2",
  z.object({
    entities: z.array(entity).min(1).max(12),
    relationships: z.array(relationship).max(24),
    metadata: z.object({
      type: z.enum(["invoice", "credit_note", "receipt"]),
      number: text.meta(locked).nullable(),
      issue_date: dateText.nullable(),
      due_date: dateText.nullable(),
      /** ISO 4217. Null where the document names none, or has a sign of several. */
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .nullable(),
      /** ISO 639-1. */
      language: z.string().regex(/^[a-z]{2}$/),
      order_reference: text.meta(locked).nullable(),
    }),
    lines: z.array(line).max(200),
    taxes: z.array(tax).max(10),
    totals: z.object({
      net: amount.nullable(),
      tax: amount.nullable(),
      /** With tax, before deposits and tax that is withheld. */
      gross: amount.nullable(),
      /** Amount left to be paid, where it is stated. */
      payable: amount.nullable(),
    }),
    /** True where the lines' amounts have tax in them, as on receipts. */
    lines_are_gross: z.boolean(),
  }),
  {
    description: "An invoice's entities, how they relate, its metadata, lines, taxes and totals, as stated.",
    check: ({ entities, relationships }) => {
      const ids = entities.map((one) => one.id);
      return [
        ...checkDistinct(ids, "/entities"),
        ...relationships.flatMap(({ from, to }, index) =>
          ids.includes(from) && ids.includes(to)
            ? []
            : [{ path: `/relationships/${index}`, code: "entity_unknown", message: "names no entity's id" }],
        ),
      ];
    },
  },
);

export type Invoice = z.output<typeof InvoiceAnswer.schema>;

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
export function quoted(answer: Answer, whole: string): QuotedReading {
  const { kind, amount: sum, account, currency } = answer;
  const held = <Value>(
    said: { readonly value: Value; readonly quote: string } | null,
    holds: (quote: string, value: Value) => boolean,
  ): Value | null =>
    said !== null && flatten(whole).includes(flatten(said.quote)) && holds(said.quote, said.value)
      ? said.value
      : null;
  return {
    kind,
    amount: held(sum, holdsAmount),
    account: held(account, holdsWords),
    currency: held(currency, () => true),
    issue_date: held(answer.issue_date, holdsDay),
    due_date: held(answer.due_date, holdsDay),
  };
}

const flatten = (words: string): string => words.normalize("NFKC").replaceAll(/\s+/g, " ").trim();
