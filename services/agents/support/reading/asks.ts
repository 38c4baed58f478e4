import { foldText } from "./fold-text.ts";
import { hasPhrase } from "./phrase-score.ts";

/** Words with which customers ask for something, folded, in the team's languages. */
const ASKING = [
  "please|pls|could you|can you|would you|will you|can i|could i|may i|i want|i would like|i d like|i need|i demand",
  "i request|send me|refund me|refund order|give me|i expect|kindly|requesting|we need|we would like|we want to|we want a|we want the|we want our",
  "bitte|mochte|hatte gern|hatte gerne|konnen sie|konnten sie|konnt ihr|brauche|benotige|fordere|verlange|ware schon",
  "wunsche|wunschen|will mein|will das|uberweisen sie|erstatten sie|senden sie|schicken sie",
  "je voudrais|je souhait|j aimerais|merci de|pouvez vous|pourriez vous|je demande|j attends|veuillez|s il vous plait|je veux",
  "quiero|quisiera|por favor|necesito|pueden|puede|podrian|podria|solicito|me gustaria|devuelvan|exijo",
  "vorrei|potete|potreste|puo|per favore|chiedo|desidero|voglio|ho bisogno",
  "prosze|chce|chcial|potrzebuj|czy m|zadam",
  "quero|gostaria|preciso|podem|poderia|solicito",
  "graag|kunt u|kunnen jullie|wil ik|ik wil|verzoek|alstublieft|zou u",
  "feature request|would be nice|would be great|ce serait bien|seria bueno|sarebbe bello|byloby",
];

/** Words with which customers report what somebody has to look at, although nothing is asked. */
const REPORTING = [
  "crash|does not work|doesn t work|not working|broken|never arrived|never came|lawyer|attorney|police",
  "funktioniert nicht|geht nicht|kaputt|defekt|anwalt|ne fonctionne|ne marche|cass|avocat|no funciona|se cierra|abogado",
  "shows error|error 4|error 5|error message|fehlermeldung|plante|message d erreur|mensaje de error|messaggio di errore|foutmelding",
  "non funziona|rotto|avvocato|nie dziala|uszkodz|prawnik|nao funciona|partid|advogado|werkt niet|kapot|advocaat",
];

/** Verbs with which an order to do something begins, folded, in the team's languages. */
const IMPERATIVES = new RegExp(
  "^ (?:(?:and|also|then|und|et|y|e|i|en) )?(?:change|cancel|delete|remove|send|add|stop|close|update|give|correct|resend|reset|" +
    "call|tell|explain|unsubscribe|andern|andert|stornier\\w*|losch\\w*|schick\\w*|send\\w+|hor\\w+ auf|changez|annulez|supprimez|" +
    "envoyez|ajoutez|cambi\\w+|cancel\\w+|annull\\w+|elimin\\w+|borr\\w+|envi\\w+|invi\\w+|zmien\\w*|anuluj\\w*|usun\\w*|wysl\\w+|" +
    "przesl\\w+|altere\\w*|apague\\w*|mude\\w*|wijzig|annuleer|verwijder|stuur) ",
  "u",
);

const JAPANESE = /ください|下さい|お願い|願います|ですか|ますか|欲しい|ほしい/u;

/** The signs of a question, in every script. The Greek one looks like a semicolon and has its own code. */
const QUESTION = /[?？؟\u037e]|(?<=\p{Script=Greek}.*);/u;

/** Returns true when a sentence has the sign of a question. */
export function isQuestion(sentence: string): boolean {
  return QUESTION.test(sentence);
}

/** Returns true when a sentence is a question or has words that ask for something. */
export function asksInWords(sentence: string): boolean {
  return (
    isQuestion(sentence) ||
    JAPANESE.test(sentence) ||
    hasPhrase(foldText(sentence), ASKING) ||
    IMPERATIVES.test(foldText(sentence))
  );
}

/** Returns true when a sentence asks for something or reports what somebody has to look at. Errs towards yes. */
export function asksForSomething(sentence: string): boolean {
  return asksInWords(sentence) || hasPhrase(foldText(sentence), REPORTING);
}
