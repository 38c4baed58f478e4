import type { StandIn } from "#shared/runtime";
import { dropOrdersToMachines } from "../reading/drop-orders-to-machines.ts";
import { foldText } from "../reading/fold-text.ts";
import { hasPhrase } from "../reading/phrase-score.ts";
import type { ClaimInput } from "../refunds/answer.ts";
import words from "../reading/words.json" with { type: "json" };

const ELSEWHERE =
  /\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}(?:\s?[A-Z0-9]{1,4})?\b|\b(?:bc1|0x)[a-z0-9]{20,}\b/i;

const BECAUSE = {
  replacement: "They ask for another one and not for money.",
  money_back: "Their words ask for money back.",
  unclear: "Their words do not say what they want.",
} as const;

/** Reads a claim as the refunds desk's model would. */
export const readClaim: StandIn = (input: ClaimInput) => {
  const { text } = dropOrdersToMachines(input.text === "" ? input.summary : input.text);
  const folded = foldText(`${input.summary} ${text}`);
  const wantsMoney = hasPhrase(folded, words.claim.money);
  const wantsAnother = !wantsMoney && hasPhrase(folded, words.claim.replacement);
  const wants = wantsAnother ? "replacement" : wantsMoney ? "money_back" : "unclear";
  return {
    wants,
    payout_elsewhere: ELSEWHERE.test(text) || hasPhrase(folded, words.claim.another_account),
    because: BECAUSE[wants],
  };
};
