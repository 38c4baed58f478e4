import { foldText } from "../reading/fold-text.ts";
import { listMarkedOrders } from "../reading/marked-orders.ts";
import { sentencesOf } from "../reading/sentences.ts";

const REFUND_WORDS =
  / (?:refund|money|reimburs|erstatt|geld|rembours|devol|reembols|rimbors|zwrot|pieniadz|terug|返金)/;

/**
 * The one order number a text speaks of, as written (without `#`). Where it marks several, the one beside words for
 * money back; undefined if that does not settle it either, since the wrong order is worse than a question.
 */
export function findOrderId(text: string): string | undefined {
  const all = new Set(listMarkedOrders(text));
  if (all.size <= 1) return [...all][0];
  const asked = new Set(
    sentencesOf(text)
      .filter((sentence) => REFUND_WORDS.test(foldText(sentence)))
      .flatMap((sentence) => listMarkedOrders(sentence)),
  );
  return asked.size === 1 ? [...asked][0] : undefined;
}
