import type { StandIn } from "#shared/runtime";
import { dropOrdersToMachines } from "../reading/drop-orders-to-machines.ts";
import { foldText } from "../reading/fold-text.ts";
import { hasPhrase } from "../reading/phrase-score.ts";
import type { Lexicon } from "../reading/phrase-score.ts";
import type { ScoreInput } from "../sales/answer.ts";

const NEXT_STEP: Lexicon = [
  [1, "quote|demo|meeting|call with|walk us through|proposal|trial for our|angebot|termin|devis"],
  [1, "demonstration|rendez vous|presupuesto|cotizacion|preventivo|dimostrazione|ofert"],
  [1, "prezentacj|orcamento|demonstracao|offerte|afspraak"],
];
const SOON: Lexicon = [
  [1, "this month|this week|next week|this quarter|end of the month|by the end of"],
  [1, "soon as possible|diesen monat|diesem monat|diese woche|quartal|ce mois|cette semaine"],
  [1, "este mes|esta semana|questo mese|questa settimana|w tym tygodniu|w tym miesiacu|este mes"],
  [1, "esta semana|deze maand|deze week"],
];
const BUYER: Lexicon = [
  [1, "head of|cto|ceo|cio|director|manager|procurement|purchas|we are a|we re a|our company"],
  [1, "our team|sign off|einkauf|geschaftsfuhr|unternehmen|wir sind|societe|entreprise"],
  [1, "notre equipe|achats|empresa|somos|compras|azienda|siamo|firma|jestesmy|zakup|bedrijf"],
  [1, "wij zijn|inkoop"],
];
const BUDGET: Lexicon = [
  [1, "budget|approved|freigegeben|approuve|aprobado|approvato|zatwierdz|aprovado|goedgekeurd"],
];
const IDLE: Lexicon = [
  [1, "just curious|curious|student|maybe later|no hurry|looking around|hobby|for myself"],
  [1, "nur neugier|vielleicht spater|privat|par curiosite|etudiant|por curiosidad|estudiante"],
  [1, "per curiosita|studente|z ciekawosci|por curiosidade|estudante|nieuwsgierig"],
];

interface Point {
  readonly points: number;
  readonly reason: string;
}

/** Scores a lead by the same counts as the prompt names. */
export const scoreLead: StandIn = (input: ScoreInput) => {
  const folded = foldText(dropOrdersToMachines(input.text).text);
  const counted = [
    ...seatPoints(input.seats),
    ...pointsFor(hasPhrase(folded, NEXT_STEP), { points: 25, reason: "asks for a next step" }),
    ...pointsFor(hasPhrase(folded, SOON), { points: 20, reason: "wants to decide soon" }),
    ...pointsFor(input.company !== null || hasPhrase(folded, BUYER), {
      points: 20,
      reason: "buys for a company",
    }),
    ...pointsFor(input.budget !== null || hasPhrase(folded, BUDGET), { points: 15, reason: "has a budget" }),
    ...pointsFor(hasPhrase(folded, IDLE), { points: -30, reason: "is only curious" }),
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
