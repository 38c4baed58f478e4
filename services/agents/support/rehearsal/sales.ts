import type { StandIn } from "#shared/runtime";
import { dropOrdersToMachines } from "../reading/drop-orders-to-machines.ts";
import { foldText } from "../reading/fold-text.ts";
import { hasPhrase } from "../reading/phrase-score.ts";
import type { ScoreInput } from "../sales/answer.ts";
import words from "./words.json" with { type: "json" };

interface Point {
  readonly points: number;
  readonly reason: string;
}

/** Scores a lead by the same counts as the prompt names. */
export const scoreLead: StandIn = (input: ScoreInput) => {
  const folded = foldText(dropOrdersToMachines(input.text).text);
  const counted = [
    ...seatPoints(input.seats),
    ...pointsFor(hasPhrase(folded, words.lead.next_step), { points: 25, reason: "asks for a next step" }),
    ...pointsFor(hasPhrase(folded, words.lead.soon), { points: 20, reason: "wants to decide soon" }),
    ...pointsFor(input.company !== null || hasPhrase(folded, words.lead.buyer), {
      points: 20,
      reason: "buys for a company",
    }),
    ...pointsFor(input.budget !== null || hasPhrase(folded, words.lead.budget), {
      points: 15,
      reason: "has a budget",
    }),
    ...pointsFor(hasPhrase(folded, words.lead.idle), { points: -30, reason: "is only curious" }),
  ];
  const sum = counted.reduce((score, { points }) => score + points, 5);
  return { score: Math.min(Math.max(sum, 0), 100), reasons: counted.map(({ reason }) => reason) };
};

function seatPoints(seats: number | null): Point[] {
  if (seats === null) return [];
  const points = seats >= 100 ? 30 : seats >= 30 ? 25 : seats >= 10 ? 15 : 5;
  return [{ points, reason: `asks about ${seats} seats` }];
}

function pointsFor(applies: boolean, point: Point): Point[] {
  return applies ? [point] : [];
}
