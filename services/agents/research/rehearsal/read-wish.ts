import { scoreInjection } from "#shared/guard";
import { readSentences } from "../reading/sentences.ts";
import { foldText, termsOf } from "../reading/words.ts";

/** Score from which a sentence is an order to machines and no wish of a person. */
const ORDER_AT = 0.6;

const ASKS =
  /^(?:(?:and|but|so|or|also|then|ok|okay|well|hi|hello|please) )*(?:what|who|whom|whose|when|where|which|why|how|is|are|was|were|does|do|did|has|have|had|can|could|will|would)\b/;
const WISHES =
  /\b(?:tell me|find out|look up|look into|i(?: would|d|'d)? (?:like|want|need) to know|i wonder|do you know|any idea|explain|compare|search for|check (?:how|what|when|who|whether|if|the)|i am (?:looking for|curious)|give me (?:the|an?|some)|(?:write|prepare|draft|need|want)(?: me| us)? (?:the|an?) (?:report|overview|comparison|briefing|dossier|summary))\b/;
const THANKS =
  /\b(?:thanks?|thank you|thx|cheers|much appreciated|great answer|good to know|perfect|that helps|well done|danke|merci|gracias)\b/;
/** About the talk itself, or about who answers. */
const ABOUT_TALK =
  /\b(?:how are you|who are you|what are you|are you (?:an?|the|ok|there|human|sure)|can you (?:help|hear|speak|understand)|what can you do|what did (?:you|i) (?:just )?(?:say|ask|mean)|what do you think|do you (?:like|agree|think|feel|mean)|could you (?:repeat|rephrase)|say that again|isn t (?:it|that)|don t you think|you know what|how was your|have a (?:nice|good)|are you serious|who made you|what is your name|how do you work)\b/;
const COMMENT =
  /^(?:i (?:think|find|feel|believe|love|like|hate|guess|see|agree|doubt|am (?:surprised|glad|sorry|impressed))|that (?:is|s|was|sounds)|this (?:is|was)|it (?:is|s|was|sounds|seems)|wow|interesting|amazing|sad|nice|good|great|ok|okay|fine|oh|ah|hm+|lol|haha|what an?|how (?:nice|sad|interesting|funny|awful|terrible|lovely|wonderful|strange|expensive))\b/;
const OTHER_LANGUAGE_ASKS =
  /^(?:was|wer|wann|wo|wie|welche[rs]?|warum|quand|combien|qui|pourquoi|comment|cuando|cuanto|quien|que|donde)\b/;

/** What a person wants of a message, sentence by sentence. */
export interface Wish {
  /** Sentences that ask for something that has to be looked up. */
  readonly questions: readonly string[];
  readonly isThanks: boolean;
  /** Sentences that gave orders to machines; they are no part of the wish. */
  readonly orders: number;
}

/** Reads what is wanted from the form of each sentence, orders to machines left out. English, a little of others. */
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
  if (ABOUT_TALK.test(folded)) return false;
  const isQuestion = sentence.trimEnd().endsWith("?");
  // "What a bridge!", "How nice that …": said, not asked.
  if (!isQuestion && COMMENT.test(folded) && !WISHES.test(folded)) return false;
  const isAsked =
    WISHES.test(folded) ||
    ASKS.test(folded) ||
    (isQuestion && (termsOf(sentence).length > 1 || OTHER_LANGUAGE_ASKS.test(folded)));
  return isAsked && termsOf(sentence).length > 0 && (isQuestion || !THANKS.test(folded));
}
