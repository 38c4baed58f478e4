import type { StandIn } from "#shared/runtime";
import { dropOrdersToMachines } from "../reading/drop-orders-to-machines.ts";
import { foldText } from "../reading/fold-text.ts";
import { hasPhrase } from "../reading/phrase-score.ts";
import type { Lexicon } from "../reading/phrase-score.ts";
import type { ClaimInput } from "../refunds/answer.ts";

const REPLACEMENT: Lexicon = [
  [1, "send me a new one|send a replacement|replacement instead|exchange it|swap it"],
  [1, "rather have a new|ersatz schicken|umtauschen|neues schicken"],
  [1, "un nouvel exemplaire|echanger|un echange|que me lo cambien|cambiarlo|cambio por otro"],
  [1, "sostituirlo|una sostituzione|wymiane na|wymienic|trocar por|uma troca|omruilen"],
  [1, "nieuw exemplaar"],
];

const MONEY: Lexicon = [
  [1, "refund|money|reimburs|credit|pay back|what i paid|back on my card|erstatt|geld|widerruf"],
  [1, "zuruck|rembours|reembols|devol|devuelv|rimbors|soldi|zwrot|pieniadz|dinheiro|dinero"],
  [1, "terug"],
];

const ELSEWHERE =
  /\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}(?:\s?[A-Z0-9]{1,4})?\b|\b(?:bc1|0x)[a-z0-9]{20,}\b/i;
const ANOTHER_ACCOUNT: Lexicon = [
  [1, "another account|different account|different card|another card|my wife s account"],
  [1, "my husband s account|new bank account|anderes konto|andere konto|autre compte"],
  [1, "otra cuenta|altro conto|inne konto|outra conta|andere rekening"],
];

/** Reads a claim as the refunds desk's model would. */
export const readClaim: StandIn = (input: ClaimInput) => {
  const { text } = dropOrdersToMachines(input.text === "" ? input.summary : input.text);
  const folded = foldText(`${input.summary} ${text}`);
  const wantsMoney = hasPhrase(folded, MONEY);
  const wants = !wantsMoney && hasPhrase(folded, REPLACEMENT) ? "replacement" : "money_back";
  return {
    wants,
    payout_elsewhere: ELSEWHERE.test(text) || hasPhrase(folded, ANOTHER_ACCOUNT),
    because:
      wants === "replacement"
        ? "They ask for another one and not for money."
        : "Their words ask for money back.",
  };
};
