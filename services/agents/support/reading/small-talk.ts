import { countWords } from "./clauses.ts";
import { foldText } from "./fold-text.ts";

/**
 * Words of thanks, greetings and of asking for help with what was said before: a sentence of them alone adds
 * nothing.
 */
const SMALL_TALK = new Set(
  (
    "please pls help me us fix it this that asap soon can could would you i we do what how should to advise let know look at " +
    "is possible any solution treat as top priority urgent urgently who our contact on side quiero necesito quisiera gustaria mochte brauche voudrais aimerais vorrei gostaria preciso potrzebuje " +
    "ora chiedo solo curiosita dringend " +
    " thanks thank hello hi dear regards best kind sir madam reply answer tell for the in advance your a " +
    "bitte helfen hilfe mir uns was kann ich tun soll machen konnen sie danke hallo guten tag moglich vielen dank im voraus wir losen " +
    "pouvez vous m aider s il plait que faire dois je une solution possible est ce merci d avance bonjour svp aidez moi " +
    "pueden puede ayudarme ayudar por favor que hago hacer puedo es posible gracias hola me de antemano " +
    "cosa posso fare potete aiutarmi per favore grazie mille possibile aiuto ciao buongiorno come risolvo " +
    "prosze o pomoc co mam zrobic moge czy mozecie mi pomoc dziekuje z gory dzien dobry " +
    "podem ajudar pode me que faco fazer obrigado obrigada possivel ola o " +
    "kunt u helpen wat kan ik doen hoe los dit op graag hulp alvast bedankt hallo mij"
  ).split(" "),
);

/** A name under a letter, a greeting in front of it. */
const SHORT_WORDS = 2;

/** Returns true for what no one has to answer by itself: a greeting, thanks, a name, "please help me". */
export function isSmallTalk(piece: string): boolean {
  if (countWords(piece) <= SHORT_WORDS) return true;
  return foldText(piece).trim().split(" ").every(isSmallWord);
}

/** Returns true for a folded word that says nothing of the matter. */
export function isSmallWord(word: string): boolean {
  return SMALL_TALK.has(word);
}
