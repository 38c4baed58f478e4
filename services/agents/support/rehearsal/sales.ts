import type { StandIn } from "#shared/runtime";
import { dropOrdersToMachines } from "../reading/drop-orders-to-machines.ts";
import { foldText } from "../reading/fold-text.ts";
import { hasPhrase } from "../reading/phrase-score.ts";
import type { ScoreInput } from "../sales/answer.ts";
import words from "../reading/words.json" with { type: "json" };

/** Scores a lead by the same counts as the prompt names. */
export const scoreLead = (({ seats, company, budget, text }: ScoreInput) => {
  const folded = foldText(dropOrdersToMachines(text).text);
  const has = (sign: keyof typeof words.lead): boolean => hasPhrase(folded, words.lead[sign]);
  const ofSeats = seats === null ? 0 : seats >= 100 ? 30 : seats >= 30 ? 25 : seats >= 10 ? 15 : 5;
  const counted = [
    { applies: seats !== null, points: ofSeats, reason: `asks about ${seats ?? 0} seats` },
    { applies: has("next_step"), points: 25, reason: "asks for a next step" },
    { applies: has("soon"), points: 20, reason: "wants to decide soon" },
    { applies: company !== null || has("buyer"), points: 20, reason: "buys for a company" },
    { applies: budget !== null || has("budget"), points: 15, reason: "has a budget" },
    { applies: has("idle"), points: -30, reason: "is only curious" },
  ].filter(({ applies }) => applies);
  const sum = counted.reduce((score, { points }) => score + points, 5);
  return { score: Math.min(Math.max(sum, 0), 100), reasons: counted.map(({ reason }) => reason) };
}) satisfies StandIn;
