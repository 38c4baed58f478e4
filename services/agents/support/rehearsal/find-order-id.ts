import { foldText } from "../reading/fold-text.ts";
import { sentencesOf } from "../reading/sentences.ts";

const ORDER_WORD =
  "orders?|bestell(?:ung|nummer|nr)|bestel(?:ling|nummer)|auftrags?(?:nummer|nr)?|commande|pedidos?|ordine|zam[oó]wieni[ae]|encomendas?|po";
const NUMBER_WORD = "numbers?|no|nr|num|nummer|n[°ºo]|numéro|número|numero|ref(?:erence)?|id|numer";
const ID = "#?([A-Za-z]{0,4}-?\\d[\\dA-Za-z]*(?:-[\\dA-Za-z]+)*)";

const AFTER_ORDER_WORD = new RegExp(
  `(?:^|[^\\p{L}])(?:${ORDER_WORD})(?:[\\s.:,#(–-]|${NUMBER_WORD}|is|was|ist|lautet|est|es|è|:|with|the|de|da|del|van){0,8}?\\s*${ID}(?![\\d])`,
  "giu",
);
const BY_ITS_FORM = /(?:^|[\s(:,])(?:#(\d{4,12})|([A-Z]{1,4}-\d{3,12}(?:-\d+)*))(?![\p{L}\d])/gu;
const NOT_AN_ORDER =
  /^(?:DE|GB|FR|ES|IT|PL|PT|NL|AT|CH)\d{2}|^(?:INV|RE|RG|UTF|ISO|CODE|HTTP|SHA|COVID)-?\d|^RFC/i;
const REFUND_WORDS =
  / (?:refund|money|reimburs|erstatt|geld|rembours|devol|reembols|rimbors|zwrot|pieniadz|terug)/;

/**
 * The one order number a text speaks of, as written (without `#`): a number after a word for "order", else one of the
 * form `#48213` or `AB-1234`. Where it names several, the one beside words for money back; undefined if that does not
 * settle it either, since the wrong order is worse than a question.
 */
export function findOrderId(text: string): string | undefined {
  const bySentence = sentencesOf(text).map((sentence) => ({ sentence, ids: idsIn(sentence) }));
  const all = new Set(bySentence.flatMap(({ ids }) => ids));
  if (all.size <= 1) return [...all][0];
  const asked = new Set(
    bySentence.filter(({ sentence }) => REFUND_WORDS.test(foldText(sentence))).flatMap(({ ids }) => ids),
  );
  return asked.size === 1 ? [...asked][0] : undefined;
}

function idsIn(sentence: string): string[] {
  const named = [...sentence.matchAll(AFTER_ORDER_WORD)].map((match) => match[1] ?? "");
  const usable = named.filter((id) => isOrderId(id));
  if (usable.length > 0) return usable;
  return [...sentence.matchAll(BY_ITS_FORM)]
    .map((match) => match[1] ?? match[2] ?? "")
    .filter((id) => isOrderId(id));
}

function isOrderId(id: string): boolean {
  const digits = id.replaceAll(/\D/g, "").length;
  return digits >= 3 && id.length >= 4 && id.length <= 40 && !NOT_AN_ORDER.test(id);
}
