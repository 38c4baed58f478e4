import { foldText } from "./fold-text.ts";
import { hasPhrase } from "./phrase-score.ts";

/** Words that refer to a promise or a decision of the shop, folded, in the team's languages. */
const PROMISES = [
  "you already confirmed|already confirmed|already approved|already agreed|already promised|already authori",
  "you agreed|you promised|you confirmed|you approved|you said you would|you said i would|as agreed|as promised",
  "was approved|been approved|is approved|were approved|got approved|we approve|approved by",
  "your colleague said|your colleague told|your colleague promised|your colleague agreed|your agent said",
  "your agent told|your agent promised|your manager|the manager|i was told|i was promised|was promised",
  "bereits zugesagt|zugesagt|versprochen|bereits bestatigt|bereits genehmigt|genehmigt|wie vereinbart|ihr kollege",
  "ihre kollegin|wurde mir gesagt|haben sie bestatigt|zusage",
  "deja confirme|avez confirme|avez promis|avez accepte|deja accepte|deja approuve|approuve|comme convenu|votre collegue",
  "ya confirm|ya aprob|han confirmado|prometieron|me prometi|aprobado|como acord|su colega|su companer",
  "gia confermato|avete confermato|avete promesso|promesso|approvato|come concordato|il vostro collega",
  "juz potwierdz|obiecan|obieca|zatwierdz|jak uzgodni|panstwa kolega|panstwa pracownik",
  "ja confirm|prometeram|prometid|aprovad|como combinado|seu colega",
  "al bevestigd|beloofd|toegezegd|goedgekeurd|zoals afgesproken|uw collega",
];

const JAPANESE = /承認済|約束|確認済|承認され/u;

/** Returns true when a text says that the shop promised, approved or confirmed something. Such words prove nothing. */
export function claimsPromise(text: string): boolean {
  return hasPhrase(foldText(text), PROMISES) || JAPANESE.test(text);
}
