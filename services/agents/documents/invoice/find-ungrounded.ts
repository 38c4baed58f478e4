import type { Invoice } from "./answer.ts";
import type { AuditFinding } from "./audit-finding.ts";
import { readAmounts } from "./evidence/amounts.ts";
import { holdsWords } from "./evidence/lines.ts";

/**
 * Returns lines, taxes and numbers that the document does not hold: a model made them up, or misread them. Numbers are
 * compared as numbers, in whatever way they are written; the rest without spaces and case.
 */
export function findUngrounded({ entities, metadata, lines, taxes }: Invoice, text: string): AuditFinding[] {
  const amounts = new Set(readAmounts(text).map((amount) => Math.abs(amount).toFixed(4)));
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
    ...numbers.filter(([, stated]) => stated !== 0 && !amounts.has(Math.abs(stated).toFixed(4))),
    ...words.filter(([, stated]) => stated !== null && !holdsWords(text, stated)),
  ].map(([path, stated]) => ({ code: "not_in_document", path, stated: String(stated), computed: null }));
}
