import { foldText } from "./fold-text.ts";
import { asksInWords, isQuestion } from "./asks.ts";
import { hasPhrase } from "./phrase-score.ts";
import { sentencesOf } from "./sentences.ts";

/** Words for money that comes back, folded. */
const MONEY_BACK =
  / (?:refund|reimburs|chargeback|money|credit my|pay (?:\S+ ){0,4}back|back (?:on|to) my card|(?:dollars|euros?|eur|usd|gbp|chf|pln|pounds?|quid|\d+) back|what i paid|erstatt|ruckerstatt|zuruckerstatt|ruckzahl|zuruckzahl|geld|widerruf|kaufpreis|zuruckuberw|buchen sie|rembours|argent|reembols|devol|devuelv|mi dinero|rimbors|restitu|soldi|zwrot|zwroc|oddac|oddajcie|pieniadz|dinheiro|estorn|terugbetal|terugstort|terug|restitutie)/;
const JAPANESE_MONEY_BACK = /返金|払い戻|返して/u;

/** A verb in the imperative, or a wish, that asks for the money. */
const DEMANDS = [
  "refund order|refund me|refund it|refund the|refund this|refund that|refund my|refund please|refund 1|refund 2|refund 3",
  "refund 4|refund 5|refund 6|refund 7|refund 8|refund 9|refund request|request for a refund|my money back|reimburse me|pay me back",
  "return my money|give me|want|like a|like my|demand|claim|credit my|send me back|buchen sie|erstattet|erstatten|zuruckerstatten",
  "uberweist|uberweisen|will|widerrufe|widerruf|fordere|remboursez|remboursement de|demande|devuelvan|devuelvame|reembolsen",
  "reembolsenme|rimborsate|rimborsatemi|rimborsami|restituite|richiedo|richiesta|zwroccie|oddajcie|domagam|zadam|wnosze",
  "reembolsem|devolvam|estornem|exijo|stort|betaal|eis|terugbetaling van",
];
const JAPANESE_DEMANDS = /ください|下さい|お願い|願います|欲しい|ほしい|希望|求め|したい/u;

const NOT =
  "(?:no|not|don t|didn t|doesn t|do not|did not|never|without|nothing|kein\\w*|nicht|nie|pas|aucun\\w*|sans|sin|non|senza|nessun\\w*|ningun\\w*|bez|zadn\\w*|nao|nenhum\\w*|sem|geen|niet|zonder)";
const REFUND =
  "(?:refund\\w*|reimburs\\w*|money|erstatt\\w*|ruckerstatt\\w*|ruckzahlung\\w*|geld|rembours\\w*|argent|reembols\\w*|devoluc\\w*|dinero|rimbors\\w*|soldi|denaro|zwrot\\w*|pieniedzy|dinheiro|estorno\\w*|terugbetal\\w*|restitutie)";
const NEED =
  "(?:need\\w*|necessary|required|want\\w*|ask\\w*|looking|after|expect\\w*|brauche\\w*|benotig\\w*|notig|erforderlich|will|mochte\\w*|verlange\\w*|gewunscht|besoin|veux|voudrais|souhaite|demande|necessaire|quiero|necesito|pido|hace falta|necesari\\w*|voglio|serve|chiedo|bisogno|necessari\\w*|chce|potrzebuj\\w*|trzeba|prosze|potrzebn\\w*|quero|preciso|necessari\\w*|peco|nodig|wil|hoef\\w*|vraag)";
/** "No refund needed", "I do not want my money back", "a refund is not needed": the no beside the money. */
const DENIALS = [
  new RegExp(` ${NOT} (?:\\S+ ){0,2}${NEED} (?:\\S+ ){0,4}${REFUND} `),
  new RegExp(` ${NEED} (?:\\S+ ){0,2}${NOT} (?:\\S+ ){0,3}${REFUND} `),
  new RegExp(` ${NOT} (?:\\S+ ){0,2}${REFUND} (?:\\S+ ){0,3}${NEED} `),
  new RegExp(` ${REFUND} (?:\\S+ ){0,4}${NOT} (?:\\S+ ){0,2}${NEED} `),
  new RegExp(` ${REFUND} (?:\\S+ ){0,4}${NEED} (?:\\S+ ){0,2}${NOT} `),
  new RegExp(` (?:no|kein\\w*|aucun|pas de|geen|zadn\\w*|ningun|nessun|nenhum) (?:\\S+ )?${REFUND} `),
  / (?:don t|do not|nicht|no|non|nao|niet) (?:me )?(?:refund|reimburse|erstatten|rimbors\w*|reembols\w*|devolv\w*|terugbet\w*) /,
  / (?:keep|behalt\w*|gardez|quedense|tenete|tenetevi|zatrzymaj\w*|fiquem|houd) (?:\S+ ){0,2}(?:money|geld|argent|dinero|soldi|pieniadze|dinheiro) /,
];
const JAPANESE_DENIAL =
  /(?:返金|払い戻し?).{0,12}(?:不要|いりません|いらない|必要(?:は)?(?:ありません|ない)|結構|求めて(?:い)?(?:ません|ない)|望(?:みません|んでいません))/u;

/** Words of a refund that was made already. */
const PAST = [
  "got my refund|got the refund|got a refund|received my refund|received the refund|received a refund|refund arrived|refund came|was refunded|were refunded|have refunded|has refunded|already refunded|already reimbursed|already paid back|already got|you refunded|you reimbursed|you paid back|bereits erstattet|schon erstattet|deja rembourse|ya me reembols|ya reembols|gia rimborsat|juz zwroc|ja reembols|al terugbetaald|refund i got|last refund|erhalten|bekommen hat|angekommen|wurde erstattet|ai recu|a ete rembours|avez rembours|he recibido|recibi|ho ricevuto|otrzymal|dostal|recebi|ontvangen|gekregen",
];

/** Phrases of thanks, of questions about the rules, and of other people's refunds. */
const NO_DEMAND = [
  "thank you for|thanks for|thanks a lot for|danke fur|dank fur|merci pour|gracias por|grazie per|dziekuje za|dziekuje bardzo za|obrigad o por|obrigado pel|obrigada pel|obrigado por|bedankt voor|dank voor|dank u voor",
  "refund policy|refunds policy|return policy|policy on|policy for|ruckgaberecht|erstattungsrichtlin|ruckgabebeding|politique|conditions de|politica|polityk|regulamin|zasady|beleid|voorwaarden",
  "how do refund|how does a refund|how does the refund|how long|how many days|do you offer|do you give|are refunds|is a refund possible|what happens|wie lange|wie funktion|bieten sie|combien de temps|comment fonctionn|proposez vous|cuanto tarda|como funciona|ofrecen|quanto tempo|come funziona|offrite|jak dlugo|jak dziala|czy oferuj|quanto tempo|hoe lang|hoe werkt",
  "my friend|my neighbo|my sister|my brother|my mother|my father|my colleague|my wife|my husband|somebody else|someone else|another customer|other customers|mein freund|meine freundin|mein nachbar|meine schwester|mein bruder|mein kollege|meine mutter|meine nachbarin|mon ami|mon amie|ma soeur|mon frere|mon voisin|ma mere|mi amig|mi herman|mi vecin|mi madre|il mio amico|la mia amica|mia sorella|mio fratello|moj przyjaciel|moja siostra|moj brat|moja przyjaciolka|meu amigo|minha amiga|minha irma|meu irmao|mijn vriend|mijn zus|mijn broer|mijn buur",
];

/** A paper about a refund, or its state, is asked for and not the refund itself: "a receipt for that refund". */
const PAPER = new RegExp(
  ` (?:receipt|confirm\\w*|proof|invoice|statement|status|reference|news|update|beleg|bestatig\\w*|quittung|nachweis|stand|recu|` +
    `confirmation|justificatif|recibo|comprobante|ricevuta|conferma|potwierdz\\w*|status|comprovante|bewijs|bevestig\\w*|bonnetje) ` +
    `(?:\\S+ ){0,3}${REFUND} `,
);

/** Words that stand in quotation marks are somebody's, and prove no wish of the writer. */
const QUOTED = /["“„«「][^"“”„«»「」]{8,}["”“»」]/gu;

/** Words that make a sentence depend on something that has not happened. */
const CONDITION = new RegExp(
  "(?:^|[\\s,])(?:unless|otherwise|or else|assuming|provided that|in the event|sonst|andernfalls|es sei denn|sinon|à moins|" +
    "de lo contrario|a menos|salvo que|altrimenti|a meno|w przeciwnym|chyba że|caso contrário|tenzij|if|in case|should it|supposing|suppose|wenn|falls|sollte|gesetzt|jeśli|jeżeli|gdyby|indien|mocht|" +
    "als (?:het|hij|ze|de|dit|dat|er|ik))(?!\\p{L})(?! (?:possible|you can(?!\\p{L}|['’]| not)|you could(?!\\p{L}|['’]| not)|you please|möglich))|もし|場合|たら",
  "iu",
);

/** The same in languages whose word for "if" is also another one: only where it opens a clause. */
const CONDITION_ROMANCE = new RegExp(
  "(?:^|[,;:(]\\s?|(?:embolso|boursement|boursé|mborso|mborsato)[.,]?\\s)(?:si|s'il|s’il|se|caso)\\s" +
    "(?!(?:è|e'|sono|prega|te plait|vous plaît|vous plait|possible|possibile|possível|posible)(?!\\p{L}))",
  "iu",
);

/**
 * Returns why a text does not ask this shop to pay the writer's money back, in words for an operator; null where it
 * asks. The text must hold a sentence that asks for it outright: thanks for an earlier refund, a question about the
 * rules, a case that has not happened or somebody else's refund is no such sentence, and a denial anywhere outweighs
 * whatever else is said.
 *
 * @param isLost - The shop itself says that the order is lost: "if it is lost, I want my money" then asks outright.
 */
export function findNoDemand(text: string, isLost = false): string | null {
  const sentences = sentencesOf(text.replaceAll(QUOTED, " "));
  if (deniesMoneyBack(text)) return "the customer says that no money is to be paid back";
  if (sentences.some(tellsOfRefund)) return "the customer writes of a refund that was already made";
  return sentences.some((sentence) => demandsMoney(sentence, isLost))
    ? null
    : "the customer's words do not ask for money back";
}

/** Returns true where a text says that no money is to be paid back. */
export function deniesMoneyBack(text: string): boolean {
  return sentencesOf(text).some(deniesMoney);
}

function deniesMoney(sentence: string): boolean {
  const folded = foldText(sentence);
  return JAPANESE_DENIAL.test(sentence) || DENIALS.some((denial) => denial.test(folded));
}

/** Returns true for a sentence that tells of a refund in the past and demands none. */
function tellsOfRefund(sentence: string): boolean {
  const folded = foldText(sentence);
  return MONEY_BACK.test(folded) && hasPhrase(folded, PAST) && !hasPhrase(folded, DEMANDS);
}

function demandsMoney(sentence: string, isLost: boolean): boolean {
  const folded = foldText(sentence);
  if (!MONEY_BACK.test(folded) && !JAPANESE_MONEY_BACK.test(sentence)) return false;
  if (hasPhrase(folded, NO_DEMAND) || hasPhrase(folded, PAST) || PAPER.test(folded)) return false;
  const isConditional = CONDITION.test(sentence) || CONDITION_ROMANCE.test(sentence);
  if (isConditional && (!isLost || isQuestion(sentence))) return false;
  return hasPhrase(folded, DEMANDS) || asksInWords(sentence) || JAPANESE_DEMANDS.test(sentence);
}
