/** What invoices call their parts, in English, German and French. */
export const LABELS = {
  number:
    /(?:invoice|receipt|credit note|rechnungs?|gutschrifts?|quittung|facture|beleg|bon)[\s-]*(?:no|nr|number|nummer|num[eé]ro|n°|#)\.?\s*[:#]?\s*([A-Z0-9][A-Z0-9/_.-]*[A-Z0-9])/i,
  issued:
    /(?:(?:invoice|rechnungs|issue)[\s-]*dat(?:e|um)|(?<!due |fällig\w* )\bdat(?:e|um)\b|ausgestellt am|date d['’]émission)\s*:?\s*([^\n]*)/i,
  due: /(?:due(?: date| by| on)?|payable by|pay by|zahlbar bis|fällig(?: am)?|zahlungsziel|échéance)\s*:?\s*([^\n]*\d[^\n]*)/i,
  order:
    /(?:purchase order|your order|order (?:no|number|ref)|\bPO\b|bestell(?:ung|nummer|-?nr)|ihre bestellung|auftrag(?:snummer|s-?nr)?|commande)\s*(?:no|nr|n°|number)?\.?\s*[:#]?\s*([A-Z0-9][A-Z0-9/_-]*\d[A-Z0-9/_-]*)/i,
  buyer:
    /^\s*(?:bill(?:ed)? to|invoice to|sold to|customer|buyer|rechnung an|rechnungsempfänger|kunde|käufer|an|client|facturé à)\s*:(.*)$/i,
  seller: /^\s*(?:from|seller|supplier|verkäufer|lieferant|rechnungssteller|vendeur)\s*:(.*)$/i,
  recipient: /^\s*(?:ship(?:ped)? to|deliver(?:ed)? to|lieferadresse|lieferung an|livré à)\s*:(.*)$/i,
  vat: /\b(?:VAT|Vat|USt|UID|TVA|Tax ID)\b[^\n]{0,24}?\b([A-Z]{2}[A-Z]?(?:[ .-]?\d){7,12}(?:B\d{2})?)/g,
  iban: /\bIBAN\b\s*:?\s*([A-Z]{2}\s?\d{2}(?: ?[A-Z0-9]){10,32})/,
  net: /^\s*(?:sub-?\s?total|net(?:to)?(?:betrag| amount| total)?|zwischensumme|summe netto|gesamt netto|total net|total ht|warenwert)\b/i,
  tax: /(?:\bvat\b|mwst|ust\b|umsatzsteuer|mehrwertsteuer|sales tax|\btax\b|\btva\b)/i,
  rate: /(\d{1,2}(?:[.,]\d{1,2})?)\s*%/,
  gross:
    /^\s*(?:(?:grand )?total(?: due| amount| ttc| to pay| incl\b.*)?|amount due|balance due|gesamt(?:betrag|summe)?|rechnungsbetrag|zu zahlen|zahlbetrag|endbetrag|brutto(?:betrag)?|summe)\b/i,
} as const;

/** Header words of a table's columns. */
export const COLUMNS: readonly { readonly column: Column; readonly words: RegExp }[] = [
  { column: "position", words: /^(?:pos\.?|nr\.?|no\.?|#|item no\.?|art\.?-?nr\.?)$/i },
  { column: "quantity", words: /^(?:qty\.?|quantity|menge|anzahl|hours|stunden|quantité|stk\.?|units)$/i },
  {
    column: "unit_price",
    words: /(?:unit price|price(?: each)?$|einzelpreis|e-preis|stückpreis|rate$|preis$|prix unitaire|satz$)/i,
  },
  { column: "tax_rate", words: /^(?:vat|mwst|ust|tax|tva)\.?\s*(?:%|rate|-?satz)?$/i },
  { column: "amount", words: /(?:^amount|betrag|gesamt|^total|line total|summe|montant)/i },
  {
    column: "description",
    words: /(?:description|bezeichnung|beschreibung|artikel|leistung|^item|service|désignation|product)/i,
  },
];

export type Column = "position" | "quantity" | "unit_price" | "tax_rate" | "amount" | "description";
