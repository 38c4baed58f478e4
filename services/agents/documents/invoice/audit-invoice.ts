import { z } from "zod";
import { redactText } from "#shared/guard";
import type { Invoice } from "./answer.ts";
import { holdsAmount, holdsWords } from "./evidence.ts";

/** A value that does not hold: stated and computed. */
export const auditFinding = z.object({
  code: z.enum([
    "line_amount",
    "lines_sum",
    "tax_amount",
    "taxes_sum",
    "gross_sum",
    "iban_checksum",
    "due_before_issue",
    "not_in_document",
  ]),
  /** JSON pointer into the extraction. */
  path: z.string(),
  stated: z.string(),
  /** Null where nothing can be computed. */
  computed: z.string().nullable(),
});

export type AuditFinding = Readonly<z.output<typeof auditFinding>>;

/** Recomputes an invoice; says what does not hold. Pure. @param text - The document's words; null for a picture. */
export function auditInvoice(invoice: Invoice, text: string | null): AuditFinding[] {
  return [
    ...checkSums(invoice),
    ...checkNumbers(invoice),
    ...(text === null ? [] : findUngrounded(invoice, text)),
  ];
}

function checkSums({ lines, taxes, totals, metadata, lines_are_gross: areGross }: Invoice): AuditFinding[] {
  const { net, tax, gross } = totals;
  const form = { style: "currency", currency: metadata.currency ?? "EUR" } as const;
  const digits = new Intl.NumberFormat("en", form).resolvedOptions().maximumFractionDigits ?? 2;
  const minor = (amount: number): number => Math.round(amount * 10 ** digits + Math.sign(amount) * 1e-7);
  const sumOf = (amounts: readonly number[]): number =>
    amounts.reduce((all, amount) => all + minor(amount), 0) / 10 ** digits;
  /** @param tolerance - In minor units. */
  const hold = (
    [code, path, stated]: readonly [AuditFinding["code"], string, number | null],
    computed: number,
    tolerance = 0,
  ): AuditFinding[] =>
    stated === null || Math.abs(minor(computed) - minor(stated)) <= tolerance
      ? []
      : [{ code, path, stated: stated.toFixed(digits), computed: computed.toFixed(digits) }];
  const amounts = sumOf(lines.map(({ amount }) => amount));
  const total = areGross ? gross : net;
  return [
    ...lines.flatMap(({ quantity, unit_price: price, amount }, index) =>
      hold(["line_amount", `/lines/${index}/amount`, amount], quantity * price, 1),
    ),
    ...(lines.length === 0
      ? []
      : hold(["lines_sum", `/totals/${areGross ? "gross" : "net"}`, total], amounts)),
    ...taxes.flatMap(({ rate, base, amount }, index) => {
      // One tax has the whole net for its base, where none is stated.
      const taxed = base ?? (taxes.length === 1 ? net : null);
      // Rounded for each line or for all: a minor unit a line at most.
      const tolerance = Math.max(1, lines.length);
      return taxed === null
        ? []
        : hold(["tax_amount", `/taxes/${index}/amount`, amount], (taxed * rate) / 100, tolerance);
    }),
    ...(taxes.length === 0
      ? []
      : hold(["taxes_sum", "/totals/tax", tax], sumOf(taxes.map(({ amount }) => amount)))),
    ...(net === null || tax === null ? [] : hold(["gross_sum", "/totals/gross", gross], sumOf([net, tax]))),
  ];
}

function checkNumbers({ entities, metadata }: Invoice): AuditFinding[] {
  const { issue_date: issued, due_date: due } = metadata;
  const numbers = entities.flatMap(({ iban }, index): AuditFinding[] =>
    // Accounts that are no IBAN, such as a giro number, have no check digits that are known here.
    iban === null || !/^[A-Z]{2}-?\d{2}/.test(iban) || isIban(iban)
      ? []
      : [{ code: "iban_checksum", path: `/entities/${index}/iban`, stated: iban, computed: null }],
  );
  if (issued === null || due === null || due >= issued) return numbers;
  return [...numbers, { code: "due_before_issue", path: "/metadata/due_date", stated: due, computed: null }];
}

/** Returns lines, taxes and numbers that the document does not hold: a model made them up, or misread them. */
function findUngrounded({ entities, metadata, lines, taxes }: Invoice, text: string): AuditFinding[] {
  const numbers = [
    ...lines.map(({ amount }, index) => [`/lines/${index}/amount`, amount] as const),
    ...taxes.map(({ amount }, index) => [`/taxes/${index}/amount`, amount] as const),
  ];
  const words = [
    ["/metadata/order_reference", metadata.order_reference] as const,
    ...entities.flatMap(({ iban, vat_id: vat }, index) => [
      [`/entities/${index}/iban`, iban] as const,
      [`/entities/${index}/vat_id`, vat] as const,
    ]),
  ];
  return [
    ...numbers.filter(([, stated]) => stated !== 0 && !holdsAmount(text, stated)),
    ...words.filter(([, stated]) => stated !== null && !holdsWords(text, stated)),
  ].map(([path, stated]) => ({ code: "not_in_document", path, stated: String(stated), computed: null }));
}

/** Returns true where an account number has its country's length and check digits that fit (ISO 7064, mod 97-10). */
export function isIban(account: string): boolean {
  return redactText(account.replaceAll(".", ""), ["iban"]).text === "[iban]";
}
