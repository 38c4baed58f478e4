import type { Tag } from "../contract-fields.ts";

/** Patterns of each kind of text. */
const KINDS: readonly (readonly [tag: Tag, words: RegExp])[] = [
  ["minutes", /\b(?:minutes of|protokoll der|tagesordnung|agenda item)\b/i],
  ["contract", /\b(?:hereinafter|the parties agree|vertragsparteien|mietvertrag|agreement between)\b/i],
  ["manual", /\b(?:user manual|operating instructions|bedienungsanleitung|handbuch)\b/i],
  ["report", /\b(?:report|bericht|findings|survey)\b/i],
  ["correspondence", /\b(?:dear (?:sir|madam|mr|ms)|sehr geehrte)/i],
];

const INVOICE_NAME = /\b(?:invoice|rechnung|facture|bill to|credit note|gutschrift|receipt|quittung)\b/i;
const INVOICE_SIGNS = [
  /\b(?:invoice|rechnungs?)[\s-]*(?:no|nr|number|nummer|#)/i,
  /\b(?:total due|amount due|gesamtbetrag|zu zahlen|rechnungsbetrag|grand total|endbetrag|total)\b/i,
  /\b(?:vat|mwst|ust|umsatzsteuer|mehrwertsteuer|tax)\b/i,
  /\b(?:subtotal|net amount|netto(?:betrag)?|zwischensumme|summe netto)\b/i,
  /\bIBAN\b/,
  /(?:€|\$|£|\bEUR\b|\bUSD\b|\bGBP\b|\bCHF\b)/,
];
const SIGNS_LEAST = 3;
const UBL = /<(?:\w+:)?(?:Invoice|CreditNote)\b[^>]*urn:oasis:names:specification:ubl/;

/** Tags a text by the words it uses. Pure. */
export function tagText(
  text: string,
  pages: number,
): { readonly tags: readonly Tag[]; readonly description: string } {
  const tags = isInvoice(text) ? tagsOfInvoice(text) : tagsOfDocument(text);
  const title = text.split("\n").find((line) => /\p{L}{3}/u.test(line)) ?? "";
  const length = pages === 1 ? "one page" : `${pages} pages`;
  return { tags, description: `${tags.join(", ")}, ${length}. It begins: “${title.trim().slice(0, 120)}”.` };
}

function isInvoice(text: string): boolean {
  if (UBL.test(text)) return true;
  const signs = INVOICE_SIGNS.filter((sign) => sign.test(text)).length;
  return INVOICE_NAME.test(text) && signs >= SIGNS_LEAST;
}

function tagsOfInvoice(text: string): Tag[] {
  const tags: Tag[] = ["invoice"];
  if (/\b(?:credit note|gutschrift)\b|<(?:\w+:)?CreditNote\b/i.test(text)) tags.push("credit_note");
  if (/\b(?:receipt|quittung|kassenbon)\b/i.test(text)) tags.push("receipt");
  return tags;
}

function tagsOfDocument(text: string): Tag[] {
  const kind = KINDS.find(([, words]) => words.test(text));
  return kind === undefined ? ["document"] : ["document", kind[0]];
}
