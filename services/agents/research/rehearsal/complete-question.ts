import type { ConversationContext } from "../contract-fields.ts";
import { foldText, termsOf } from "../reading/words.ts";

const POINTS_BACK =
  /\b(?:it|its|they|their|them|that|this|these|those|there|he|she|his|her|the (?:same|one|other|project|town|figure))\b|^(?:and|but|so|what about|how about)\b/;
/** A question with fewer words of its own says too little by itself. */
const OWN_WORDS_MIN = 2;

/** A question that can be understood by itself: with what was asked before, where it points back to that. */
export function completeQuestion(question: string, context: ConversationContext): string {
  const before = context.findLast(({ said }) => termsOf(said).length >= OWN_WORDS_MIN)?.said;
  const pointsBack = POINTS_BACK.test(foldText(question)) || termsOf(question).length < OWN_WORDS_MIN;
  return before === undefined || !pointsBack ? question : `${question} (${subjectOf(before)})`;
}

/** What an earlier message was about, in its own words. */
function subjectOf(said: string): string {
  const words = said.match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? [];
  const telling = words.filter(
    (word) => termsOf(word).length > 0 && !/^(?:cost|open|close|build)/i.test(word),
  );
  return telling.slice(0, 6).join(" ");
}
