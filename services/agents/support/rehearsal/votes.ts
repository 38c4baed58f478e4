import type { StandIn } from "#shared/runtime";
import { dropOrdersToMachines } from "../reading/drop-orders-to-machines.ts";
import { foldText } from "../reading/fold-text.ts";
import { hasPhrase } from "../reading/phrase-score.ts";
import type { VoteInput } from "../technical/answer.ts";
import type { Severity } from "../technical/count-votes.ts";
import words from "../reading/words.json" with { type: "json" };

/** Everything a machine orders is left out before anything is weighed. */
function read(input: VoteInput): { folded: string; people: number } {
  const { text } = dropOrdersToMachines(input.text === "" ? input.symptoms.join("\n") : input.text);
  const counts = [
    ...text.matchAll(
      /(?<!\d)(\d{1,6})\s(?:\p{L}+\s)?(?:users?|people|employees|staff|mitarbeiter|nutzer|utilisateurs|usuarios|utenti|osob|utilizadores|gebruikers)/giu,
    ),
  ];
  return { folded: foldText(text), people: Math.max(1, ...counts.map((count) => Number(count[1]))) };
}

function vote(severity: Severity, because: string): { severity: Severity; because: string } {
  return { severity, because };
}

export const voteByImpact = ((input: VoteInput) => {
  const { folded, people } = read(input);
  if (hasPhrase(folded, words.votes.everybody) || people >= 100)
    return vote("critical", "A whole organisation is hit.");
  if (hasPhrase(folded, words.votes.several) || people >= 5) return vote("high", "A team is hit.");
  if (hasPhrase(folded, words.votes.cosmetic)) return vote("low", "It is cosmetic.");
  return vote("medium", "One person is hit.");
}) satisfies StandIn;

export const voteByUrgency: StandIn = (input: VoteInput) => {
  const { folded } = read(input);
  if (hasPhrase(folded, words.votes.now)) return vote("critical", "They say that harm is being done now.");
  if (hasPhrase(folded, words.votes.soon)) return vote("high", "A deadline is near.");
  if (hasPhrase(folded, words.votes.cosmetic)) return vote("low", "Nothing happens if it waits.");
  return vote("medium", "An inconvenience stays.");
};

export const voteByWorkaround: StandIn = (input: VoteInput) => {
  const { folded } = read(input);
  if (hasPhrase(folded, words.votes.nothing_left)) return vote("critical", "Nothing is left to them.");
  if (hasPhrase(folded, words.votes.cosmetic)) return vote("low", "Everything still works.");
  if (hasPhrase(folded, words.votes.several) && hasPhrase(folded, words.votes.by_hand))
    return vote("high", "A team works by hand.");
  return vote("medium", "Part of it is unusable.");
};
