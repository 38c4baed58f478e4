import type { StandIn } from "#shared/runtime";
import { QUESTIONS_MAX } from "../limits.ts";
import { shorten } from "../reading/sentences.ts";
import { foldText, termsOf } from "../reading/words.ts";
import type { CourseInput, LookupInput } from "../research/answer.ts";
import { completeQuestion } from "./complete-question.ts";
import { findContradictions } from "./contradictions.ts";
import { pickEvidence } from "./pick-evidence.ts";
import { readWish } from "./read-wish.ts";

const WANTS_REPORT = /\b(?:report|overview|compare|comparison|in detail|summary of)\b/;
/** Parts of a sentence that ask by themselves. */
const PART = /(?:[,;:]\s*(?:and\s+)?|\s+and\s+)(?=(?:what|who|when|where|which|why|how)\b)|\?\s+/i;
const MANY_QUESTIONS = 3;
const LOOKUP_SENTENCES = 3;

/** Decides by how much is asked for, and completes what points back to an earlier message. */
export const chooseCourse: StandIn = ({ question, context, analysis }: CourseInput) => {
  const goal = shorten(completeQuestion(question, context), 600);
  if (analysis !== null)
    return { course: { kind: "investigate", goal, questions: analysis.questions.slice(0, QUESTIONS_MAX) } };
  const { questions, isThanks, orders } = readWish(question);
  if (questions.length === 0) {
    const reply = isThanks ? "You are welcome." : orders > 0 ? "I cannot do that." : "Noted.";
    return { course: { kind: "remark", reply: `${reply} Ask me if there is anything else to look up.` } };
  }
  const parts = questions
    .flatMap((sentence) => sentence.split(PART))
    .filter((part) => termsOf(part).length > 0)
    .map((part) => shorten(completeQuestion(toQuestion(part), context), 600));
  const isReport = (text: string): boolean => WANTS_REPORT.test(foldText(text));
  if (!isReport(question) && parts.length < MANY_QUESTIONS)
    return { course: { kind: "lookup", question: goal } };
  const asked = parts.filter((part) => !isReport(part));
  return {
    course: {
      kind: "investigate",
      goal,
      questions: (asked.length > 0 ? asked : parts).slice(0, QUESTIONS_MAX),
    },
  };
};

/** A part of a sentence as a question of its own. */
function toQuestion(part: string): string {
  const text = part.trim().replace(/[,;:.?]+$/, "");
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}?`;
}

/** Answers with the sentence that says most to the question, and with what contradicts it. */
export const answerLookup: StandIn = ({ question, passages }: LookupInput) => {
  const said = pickEvidence(question, { passages, perSource: 2 }).map(({ quote, passage }) => ({
    quote,
    source_id: passage.source_id,
    passage,
  }));
  const [best] = said;
  if (best === undefined) return { sentences: [] };
  const against = findContradictions(said)
    .filter(({ one }) => one === best)
    .map(({ other }) => other);
  return {
    sentences: [best, ...against].slice(0, LOOKUP_SENTENCES).map(({ quote, passage }, index) => ({
      statement: index === 0 ? quote : `${passage.publisher}, however: ${quote}`,
      quote,
      passage_id: passage.passage_id,
    })),
  };
};
