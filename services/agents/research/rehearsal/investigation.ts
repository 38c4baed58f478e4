import type { StandIn } from "#shared/runtime";
import type { PlanInput, ReviewInput } from "../investigation/answer.ts";
import { foldText, termsOf } from "../reading/words.ts";

const TERMS_CHARACTERS_MAX = 600;

/** Searches by the words of each question that say something, with those of the document's title. */
export const planOrders: StandIn = ({ questions, reference }: PlanInput) => ({
  orders: questions.map(({ question_id, text }) => ({
    question_id,
    terms: tellingWords(`${text} ${reference?.title ?? ""}`) || text,
  })),
});

/** Searches once more, by words of the goal, where a search brought nothing. */
export const reviewFindings: StandIn = ({ goal, questions, tried }: ReviewInput) => {
  const found = new Set(
    tried.filter(({ statements }) => (statements ?? []).length > 0).map(({ question_id: id }) => id),
  );
  const again = questions
    .filter(({ question_id: id }) => !found.has(id))
    .map(({ question_id, text }) => ({ question_id, terms: tellingWords(`${text} ${goal}`) || text }));
  return { again, because: `${again.length} questions found nothing.` };
};

function tellingWords(text: string): string {
  const words = foldText(text).split(" ");
  const telling = new Set(words.filter((word) => termsOf(word).length > 0));
  return [...telling].join(" ").slice(0, TERMS_CHARACTERS_MAX);
}
