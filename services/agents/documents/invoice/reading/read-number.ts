import { foldAccents, wholeWords } from "../../text/phrases.ts";
import { REFERENCE } from "./labels.ts";
import { notStated, decide } from "./reading.ts";
import type { Found, Line, Reading } from "./reading.ts";

const NAMES = [
  "invoice|bill|credit (?:note|memo)|receipt",
  "\\p{L}*rechnungs?|gutschrift|quittung|beleg",
  "facture|avoir|ticket|reçu",
  "factura(?: rectificativa| simplificada)?|recibo",
  "fattura|nota di credito|ricevuta",
  "fatura",
  "factuur|creditnota|bon",
  "faktura(?: korygująca)?|faktury|paragon",
  "kvitto|kreditfaktura",
  "τιμολόγιο|τιμολογίου|απόδειξη(?: λιανικής)?",
  "請求書?|領収書",
  "الفاتورة|فاتورة",
]
  .map(foldAccents)
  .join("|");
const ORDINAL = "no|nr|num|num|number|nummer|numer|n°|nº|no\\.?|n\\.?|#|id|αρ|番号|رقم";
const TOKEN = "(?<token>(?:[A-Z]{1,4} )?[A-Z0-9][A-Z0-9/_.-]*)(?![A-Z0-9]|,\\d)";

/** "Invoice no. 17", "Faktura VAT nr FV/1", "FACTURE N° 9", "INVOICE #C-1", "Fatura FT 2026/7". */
const AFTER = new RegExp(
  `(?<![\\p{Script=Latin}\\p{N}])(?:${NAMES})[\\s-]*(?:vat )?[\\s-]*(?:(?:${ORDINAL})(?![\\p{Script=Latin}])[.:]?)?\\s*[:#]?\\s*${TOKEN}`,
  "giu",
);
/** "Fakturanr: 17", "Rechnungsnummer 17", "Factuurnummer: 17". */
const JOINED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${NAMES})n?(?:nr|nummer|no)\\.?\\s*[:#]?\\s*${TOKEN}`,
  "giu",
);
/** "Nº de factura: 17", "Numéro de facture", "Αριθμός τιμολογίου", "رقم الفاتورة". */
const BEFORE = new RegExp(
  `(?:n[º°o]?\\.?|num(?:ero|er)?|αριθμος|رقم)\\s*(?:de |da |di |della )?(?:la )?${wholeWords([NAMES])}\\s*[:#]?\\s*${TOKEN}`,
  "giu",
);

/** Reads the document's own number: what stands behind its name or "number", and has a digit. Others are ambiguous. */
export function readNumber(lines: readonly Line[]): Reading<string> {
  const found = lines.flatMap((line) => numbersOf(line));
  return found.length === 0 ? notStated() : decide(found);
}

function numbersOf(line: Line): Found<string>[] {
  if (REFERENCE.test(line.text)) return [];
  return [BEFORE, JOINED, AFTER].flatMap((pattern) =>
    [...line.text.matchAll(pattern)].flatMap(({ groups }) => {
      const token = groups?.["token"] ?? "";
      const value = token.replace(/[./_-]+$/, "");
      const isNumber = /\d/.test(value) && /^[A-Z\d]/.test(value) && !/[a-z]/.test(value.split(" ")[0] ?? "");
      return isNumber && !isYear(value) && !isAmount(value) ? [{ value, line }] : [];
    }),
  );
}

const isYear = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) || /^\d{1,2}\.\d{1,2}\.\d{4}$/.test(value);
const isAmount = (value: string): boolean => /^\d+[.]\d{2}$/.test(value);
