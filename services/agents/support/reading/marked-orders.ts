import { sentencesOf } from "./sentences.ts";

/** Ids that count without a word for "order" beside them, unless `SUTURE_ORDER_FORMAT` names the shop's own form. */
export const ORDER_FORMAT = "[A-Z]{1,5}-[0-9]{3,12}";

const ORDER_WORD =
  "orders?|bestell(?:ung(?:en)?|nummer|nr)|bestel(?:ling(?:en)?|nummer)|auftrags?(?:nummer|nr)?|commandes?|pedidos?|ordin[ei]|zam[oó]wieni[aeu]|encomendas?|po";
const NUMBER_WORD = "numbers?|no|nr|num|nummer|n[°ºo]|numéro|número|numero|ref(?:erence)?|id|numer";
const ID = "#?([A-Za-z]{0,5}-?\\d[\\dA-Za-z]*(?:-[\\dA-Za-z]+)*)";

const AFTER_ORDER_WORD = new RegExp(
  `(?:(?:^|[^\\p{L}])(?:${ORDER_WORD})(?!\\p{L})(?:[\\s.:,#(–-]|${NUMBER_WORD}|is|was|ist|lautet|est|es|è|with|the|de|da|del|van){0,8}?|注文(?:番号|ID)?[\\s::はがの、]{0,3})\\s*${ID}(?![\\d])`,
  "giu",
);
const BY_HASH = /(?:^|[\s(:,])#(\d{4,12})(?![\p{L}\d])/gu;

/** Ids of other things: accounts, invoices, standards, dates. */
const NOT_AN_ORDER =
  /^(?:DE|GB|FR|ES|IT|PL|PT|NL|AT|CH)\d{2}|^(?:INV|RE|RG|UTF|ISO|CODE|HTTP|SHA|COVID|TEL|FAX|IBAN|VAT)-?\d|^RFC|^(?:19|20)\d{2}(?:-\d{1,2}){0,2}$/i;

/** What follows a number that counts something: `order 5000 pieces`, `12500 yen`. */
const COUNTED =
  /^\s?(?:%|€|\$|£|¥|円|(?:eur|usd|gbp|chf|pln|yen|euros?|dollars?|pounds?|pieces?|pcs|stück|items?|days?|tage)(?!\p{L}))/iu;

/**
 * Returns the ids that a text marks as orders, as written without `#`: those after a word for "order" in the team's
 * languages, `#48213`, and those of the shop's own form. Any other number (a phone, a postcode, a date, a sum, a
 * tracking number) is no order.
 *
 * @param format - Source of a regular expression for the shop's ids, without anchors. Default `ORDER_FORMAT`.
 */
export function listMarkedOrders(text: string, format: string = ORDER_FORMAT): string[] {
  const byForm = new RegExp(`(?<![\\p{L}\\d-])(?:${format})(?![\\p{L}\\d]|-\\d)`, "giu");
  return sentencesOf(text).flatMap((sentence) => {
    const found = [
      ...idsOf(sentence, AFTER_ORDER_WORD),
      ...idsOf(sentence, BY_HASH),
      ...idsOf(sentence, byForm),
    ];
    return [...new Set(found)];
  });
}

/** Returns true when the text marks this id as an order, whatever its case. */
export function isMarkedOrder(text: string, id: string, format: string = ORDER_FORMAT): boolean {
  const wanted = id.replace("#", "").toUpperCase();
  return listMarkedOrders(text, format).some((one) => one.toUpperCase() === wanted);
}

function idsOf(sentence: string, pattern: RegExp): string[] {
  return [...sentence.matchAll(pattern)].flatMap((match) => {
    const id = match[1] ?? match[0];
    const rest = sentence.slice(match.index + match[0].length);
    return isOrderId(id) && !COUNTED.test(rest) ? [id] : [];
  });
}

function isOrderId(id: string): boolean {
  const digits = id.replaceAll(/\D/g, "").length;
  return digits >= 3 && id.length >= 4 && id.length <= 40 && !NOT_AN_ORDER.test(id);
}
