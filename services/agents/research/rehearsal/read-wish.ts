import { scoreInjection } from "#shared/guard";
import { readSentences } from "../reading/sentences.ts";
import { foldText, termsOf } from "../reading/words.ts";

/** Score from which a sentence is an order to machines and no wish of a person. */
const ORDER_AT = 0.6;

const ASKS =
  /^(?:(?:and|but|so) )*(?:what|who|when|where|which|why|how|is|are|was|were|does|do|did|can|could)\b/;
const WISHES =
  /\b(?:tell me|find out|look up|state|give me an? (?:overview|report)|like to know|obliged to learn|forgotten (?:how|what|when|who)|want to know|i wonder|explain|compare|(?:write|prepare|need|want)(?: me)? an? (?:report|overview|comparison))\b/;
/** A question within a sentence, by the place of its verb. */
const ASKS_WITHIN =
  /\b(?:what|who|when|where|why|how)(?: (?:many|much|long|often|old|far|high)(?: \w+)?)? (?:did|does|do|is|are|was|were|has|have|will|would)\b/;
const THANKS = /\b(?:thanks?|thank you|cheers|that helps|danke|merci)\b/;
/** About the talk itself, or about who answers. */
const ABOUT_TALK =
  /\b(?:how are you|who are you|what are you|can you help|what can you do|what do you think|isn t it)\b/;
const COMMENT =
  /^(?:i (?:think|like|believe)|that (?:is|was)|this is|ok|what an? |how (?:nice|sad|interesting))/;

/** What a person wants of a message, sentence by sentence. */
export interface Wish {
  /** Sentences that ask for something that has to be looked up. */
  readonly questions: readonly string[];
  readonly isThanks: boolean;
  /** Sentences that gave orders to machines; they are no part of the wish. */
  readonly orders: number;
}

/** Reads what is wanted from the form of each English sentence, orders to machines left out. */
export function readWish(text: string): Wish {
  const sentences = readSentences(text);
  const orders = sentences.filter((sentence) => scoreInjection(sentence).score >= ORDER_AT);
  const own = sentences.filter((sentence) => !orders.includes(sentence));
  return {
    questions: own.filter(wantsToKnow),
    isThanks: own.some((sentence) => THANKS.test(foldText(sentence))),
    orders: orders.length,
  };
}

function wantsToKnow(sentence: string): boolean {
  const folded = foldText(sentence);
  const isQuestion = sentence.trimEnd().endsWith("?");
  if (ABOUT_TALK.test(folded) || termsOf(sentence).length === 0) return false;
  if (ASKS_WITHIN.test(folded) && !isQuestion && !sentence.trimEnd().endsWith("!")) return true;
  if (!isQuestion && (COMMENT.test(folded) || THANKS.test(folded))) return false;
  return isQuestion || WISHES.test(folded) || ASKS.test(folded);
}
