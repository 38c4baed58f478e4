import type { Tag } from "../contract-fields.ts";
import { guessLanguage } from "./guess-language.ts";

/** Words by which a text says what it is. */
const KINDS: readonly { readonly tag: Tag; readonly words: RegExp; readonly name: string }[] = [
  { tag: "minutes", words: /\b(?:minutes of|protokoll der|tagesordnung|agenda item)\b/i, name: "minutes" },
  {
    tag: "contract",
    words: /\b(?:hereinafter|the parties agree|vertragsparteien|mietvertrag|agreement between)\b/i,
    name: "a contract",
  },
  {
    tag: "manual",
    words: /\b(?:user manual|operating instructions|bedienungsanleitung|handbuch)\b/i,
    name: "a manual",
  },
  { tag: "report", words: /\b(?:report|bericht|findings|survey)\b/i, name: "a report" },
  { tag: "correspondence", words: /\b(?:dear (?:sir|madam|mr|ms)|sehr geehrte)/i, name: "correspondence" },
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

/** What a text is, by the words it uses. Pure. */
export function tagText(
  text: string,
  pages: number,
): { readonly tags: readonly Tag[]; readonly description: string } {
  const language = guessLanguage(text);
  const length = pages === 1 ? "one page" : `${pages} pages`;
  if (isInvoice(text)) {
    const isCredit = /\b(?:credit note|gutschrift)\b|<(?:\w+:)?CreditNote\b/i.test(text);
    const isReceipt = /\b(?:receipt|quittung|kassenbon)\b/i.test(text);
    const tags: Tag[] = ["invoice"];
    if (isCredit) tags.push("credit_note");
    if (isReceipt) tags.push("receipt");
    const name = isCredit ? "A credit note" : isReceipt ? "A receipt" : "An invoice";
    return { tags, description: `${name} in ${language}, ${length}.` };
  }
  const kind = KINDS.find(({ words }) => words.test(text));
  const title = titleOf(text);
  const about = title === "" ? "" : ` It begins: “${title}”.`;
  return {
    tags: ["document", ...(kind === undefined ? [] : [kind.tag])],
    description: `${capital(kind?.name ?? "a text")} in ${language}, ${length}.${about}`,
  };
}

function isInvoice(text: string): boolean {
  if (UBL.test(text)) return true;
  const signs = INVOICE_SIGNS.filter((sign) => sign.test(text)).length;
  return INVOICE_NAME.test(text) && signs >= SIGNS_LEAST;
}

function titleOf(text: string): string {
  const line = text.split("\n").find((one) => /\p{L}{3}/u.test(one)) ?? "";
  return line.trim().slice(0, 120);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
