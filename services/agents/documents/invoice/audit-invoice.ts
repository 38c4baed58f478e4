import type { Invoice } from "./answer.ts";
import type { AuditFinding } from "./audit-finding.ts";
import { isIban, isVatId } from "./checksums.ts";
import { findUngrounded } from "./find-ungrounded.ts";

/** Digits behind the point, where they are not two. */
const MINOR_DIGITS: Readonly<Record<string, number>> = {
  JPY: 0,
  KRW: 0,
  CLP: 0,
  ISK: 0,
  KWD: 3,
  BHD: 3,
  TND: 3,
};

interface Sums {
  readonly invoice: Invoice;
  readonly digits: number;
  /** In minor units. */
  readonly minor: (amount: number) => number;
}

/**
 * Recomputes an invoice and says what does not hold. Pure.
 *
 * @param text - The document's own words; null where it is a picture: then nothing can be looked up in it.
 */
export function auditInvoice(invoice: Invoice, text: string | null): AuditFinding[] {
  const digits = MINOR_DIGITS[invoice.metadata.currency ?? ""] ?? 2;
  const minor = (amount: number): number => Math.round(amount * 10 ** digits + Math.sign(amount) * 1e-7);
  const sums: Sums = { invoice, digits, minor };
  return [
    ...checkLines(sums),
    ...checkTaxes(sums),
    ...checkGross(sums),
    ...checkNumbers(invoice),
    ...(text === null ? [] : findUngrounded(invoice, text)),
  ];
}

function checkLines({ invoice, digits, minor }: Sums): AuditFinding[] {
  const { lines, totals, lines_are_gross: areGross } = invoice;
  const findings = lines.flatMap(({ quantity, unit_price: price, amount }, index): AuditFinding[] => {
    const computed = quantity * price;
    return Math.abs(minor(computed) - minor(amount)) <= 1
      ? []
      : [finding("line_amount", `/lines/${index}/amount`, { stated: amount, computed, digits })];
  });
  const total = areGross ? totals.gross : totals.net;
  if (lines.length === 0 || total === null) return findings;
  const sum = lines.reduce((all, { amount }) => all + minor(amount), 0);
  if (sum === minor(total)) return findings;
  const place = areGross ? "/totals/gross" : "/totals/net";
  const computed = sum / 10 ** digits;
  return [...findings, finding("lines_sum", place, { stated: total, computed, digits })];
}

function checkTaxes({ invoice, digits, minor }: Sums): AuditFinding[] {
  const { taxes, totals, lines } = invoice;
  const [only, ...others] = taxes;
  const findings = taxes.flatMap(({ rate, base, amount }, index): AuditFinding[] => {
    // One tax has the whole net for its base, where none is stated.
    const taxed = base ?? (others.length === 0 ? totals.net : null);
    if (taxed === null) return [];
    const computed = (taxed * rate) / 100;
    // Rounded for each line or for all: a minor unit a line at most.
    return Math.abs(minor(computed) - minor(amount)) <= Math.max(1, lines.length)
      ? []
      : [finding("tax_amount", `/taxes/${index}/amount`, { stated: amount, computed, digits })];
  });
  if (only === undefined || totals.tax === null) return findings;
  const sum = taxes.reduce((all, { amount }) => all + minor(amount), 0);
  if (sum === minor(totals.tax)) return findings;
  const computed = sum / 10 ** digits;
  return [...findings, finding("taxes_sum", "/totals/tax", { stated: totals.tax, computed, digits })];
}

function checkGross({ invoice, digits, minor }: Sums): AuditFinding[] {
  const { net, tax, gross } = invoice.totals;
  if (net === null || tax === null || gross === null || minor(net) + minor(tax) === minor(gross)) return [];
  const computed = (minor(net) + minor(tax)) / 10 ** digits;
  return [finding("gross_sum", "/totals/gross", { stated: gross, computed, digits })];
}

function checkNumbers({ entities, metadata }: Invoice): AuditFinding[] {
  const { issue_date: issued, due_date: due } = metadata;
  const numbers = entities.flatMap(({ iban, vat_id: vat }, index): AuditFinding[] => [
    ...(iban === null || !looksLikeIban(iban) || isIban(iban)
      ? []
      : [{ code: "iban_checksum" as const, path: `/entities/${index}/iban`, stated: iban, computed: null }]),
    ...(vat === null || isVatId(vat) !== false
      ? []
      : [{ code: "vat_checksum" as const, path: `/entities/${index}/vat_id`, stated: vat, computed: null }]),
  ]);
  if (issued === null || due === null || due >= issued) return numbers;
  return [...numbers, { code: "due_before_issue", path: "/metadata/due_date", stated: due, computed: null }];
}

/** Accounts that are no IBAN, such as a giro number, have no check digits that are known here. */
const looksLikeIban = (account: string): boolean => /^[A-Z]{2}\d{2}/.test(account);

function finding(
  code: AuditFinding["code"],
  path: string,
  {
    stated,
    computed,
    digits,
  }: { readonly stated: number; readonly computed: number; readonly digits: number },
): AuditFinding {
  return { code, path, stated: stated.toFixed(digits), computed: computed.toFixed(digits) };
}
