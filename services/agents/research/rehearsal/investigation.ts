import type { StandIn } from "#shared/runtime";
import { foldText, termsOf } from "../reading/words.ts";
import type { PlanInput, ReviewInput } from "../investigation/answer.ts";

/** Other words for the same things, in reports on towns. */
const LIKE: readonly (readonly string[])[] = [
  ["cost", "price", "million", "euros", "money"],
  ["criticise", "complain", "against", "problem", "object"],
  ["people", "homes", "households", "passengers", "customers"],
  ["open", "begin", "start", "service", "first"],
  ["benefit", "improve", "advantage", "saved", "fell"],
  ["harm", "damage", "loss", "accident", "affected"],
];

/** Searches by the words of each question that say something, with those of the document's title. */
export const planOrders: StandIn = ({ questions, reference }: PlanInput) => ({
  orders: questions.map(({ question_id, text }) => {
    const terms = tellingWords(`${text} ${reference === null ? "" : reference.title}`);
    return { question_id, terms: terms.slice(0, 600) || text };
  }),
});

/** Searches once more, with likely other words, where a search brought nothing. */
export const reviewFindings: StandIn = ({ questions, tried }: ReviewInput) => {
  const again = questions.flatMap(({ question_id, text }) => {
    const mine = tried.filter((one) => one.question_id === question_id);
    if (mine.some(({ statements }) => (statements?.length ?? 0) > 0)) return [];
    return [{ question_id, terms: `${tellingWords(text)} ${otherWords(text)}`.trim().slice(0, 600) || text }];
  });
  const because =
    again.length === 0 ? "There is something on every question." : "Some questions found nothing.";
  return { again, because };
};

function tellingWords(text: string): string {
  const words = foldText(text).split(" ");
  return [...new Set(words.filter((word) => termsOf(word).length > 0))].join(" ");
}

function otherWords(text: string): string {
  const terms = new Set(termsOf(text));
  const families = LIKE.filter((family) => family.some((word) => terms.has(termsOf(word)[0] ?? word)));
  return families.flat().join(" ");
}
