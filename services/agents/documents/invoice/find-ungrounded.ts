import type { Invoice } from "./answer.ts";
import type { AuditFinding } from "./audit-finding.ts";
import { toAsciiDigits } from "../text/to-ascii-digits.ts";
import { readAmounts } from "./reading/read-amounts.ts";

/**
 * Values that somebody would act upon and that the document does not hold: a model made them up, or misread them.
 * Numbers are compared as numbers, in whatever way they are written; the rest without spaces and case.
 */
export function findUngrounded(invoice: Invoice, text: string): AuditFinding[] {
  const amounts = new Set(readAmounts(text).map((amount) => Math.abs(amount).toFixed(4)));
  const plain = squeeze(toAsciiDigits(text));
  const { entities, metadata, totals, lines, taxes } = invoice;
  const numbers: [string, number | null][] = [
    ["/totals/net", totals.net],
    ["/totals/tax", totals.tax],
    ["/totals/gross", totals.gross],
    ["/totals/payable", totals.payable],
    ...lines.map(({ amount }, index): [string, number] => [`/lines/${index}/amount`, amount]),
    ...taxes.map(({ amount }, index): [string, number] => [`/taxes/${index}/amount`, amount]),
  ];
  const words: [string, string | null][] = [
    ["/metadata/number", metadata.number],
    ["/metadata/order_reference", metadata.order_reference],
    ...entities.flatMap(({ iban, vat_id: vat }, index): [string, string | null][] => [
      [`/entities/${index}/iban`, iban],
      [`/entities/${index}/vat_id`, vat],
    ]),
  ];
  return [
    ...numbers.flatMap(([path, stated]) =>
      stated === null || stated === 0 || amounts.has(Math.abs(stated).toFixed(4))
        ? []
        : [ungrounded(path, String(stated))],
    ),
    ...words.flatMap(([path, stated]) =>
      stated === null || plain.includes(squeeze(toAsciiDigits(stated))) ? [] : [ungrounded(path, stated)],
    ),
  ];
}

function ungrounded(path: string, stated: string): AuditFinding {
  return { code: "not_in_document", path, stated, computed: null };
}

function squeeze(text: string): string {
  return text.toLowerCase().replaceAll(/[\s.-]/g, "");
}
