import type { StandIn } from "#shared/runtime";
import { QUESTIONS_MAX } from "../limits.ts";
import { completeQuestion } from "./complete-question.ts";
import { findContradictions } from "./contradictions.ts";
import { pickEvidence } from "./pick-evidence.ts";
import { readWish } from "./read-wish.ts";
import { foldText, termsOf } from "../reading/words.ts";
import { shorten } from "../reading/sentences.ts";
import type { CourseInput, LookupInput } from "../research/answer.ts";

const WANTS_REPORT =
  /\b(?:report|overview|compare|comparison|investigate|dossier|in detail|in depth|all sides|both sides|pros and cons|what do (?:the )?sources|summary of|everything (?:about|on)|briefing|look into)\b/;
/** Parts of a sentence that ask by themselves. */
const PART =
  /(?:[,;:]\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+)(?=(?:what|who|when|where|which|why|how)\b)|\?\s+/i;
const MANY_QUESTIONS = 3;
const LOOKUP_SENTENCES = 3;

/** Decides by how much is asked for, and completes what points back to an earlier message. */
export const chooseCourse: StandIn = ({ question, context, analysis }: CourseInput) => {
  const goal = shorten(completeQuestion(question, context), 600);
  if (analysis !== null)
    return { course: { kind: "investigate", goal, questions: analysis.questions.slice(0, QUESTIONS_MAX) } };
  const { questions, isThanks, orders } = readWish(question);
  if (questions.length === 0) {
    const reply = isThanks
      ? "You are welcome. I stay with this; ask me anything else about it."
      : orders > 0
        ? "I cannot do that. Ask me what you would like to know."
        : "Noted. Ask me if there is anything else to look up.";
    return { course: { kind: "remark", reply } };
  }
  const parts = questions
    .flatMap((sentence) => sentence.split(PART))
    .filter((part) => termsOf(part).length > 0)
    .map((part) => shorten(completeQuestion(toQuestion(part), context), 600));
  const isMuch = WANTS_REPORT.test(foldText(question)) || parts.length >= MANY_QUESTIONS;
  if (!isMuch) return { course: { kind: "lookup", question: goal } };
  const own = parts.filter((part) => !WANTS_REPORT.test(foldText(part)));
  const asked = own.length > 0 ? own : facetsOf(question);
  return { course: { kind: "investigate", goal, questions: asked.slice(0, QUESTIONS_MAX) } };
};

/** A part of a sentence as a question of its own. */
function toQuestion(part: string): string {
  const text = part.trim().replace(/[,;:.?]+$/, "");
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}?`;
}

/** Words by which a report is asked for. */
const ASKING =
  /^(?:need|want|write|prepare|draft|please|give|report|overview|briefing|dossier|summary|detail|depth)$/i;

/** The question inside of a sentence that asks for more: "compare what they say about how many …". */
const EMBEDDED = /^.+\b((?:how|what|when|who|where|why|which)\b.+)$/is;

/** What one wants to know of anything, where only a subject is named. */
function facetsOf(question: string): string[] {
  const embedded = EMBEDDED.exec(question)?.[1] ?? "";
  if (termsOf(embedded).length > 1) return [toQuestion(embedded)];
  const words = question.match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? [];
  const subject = words
    .filter((word) => termsOf(word).length > 0 && !ASKING.test(word))
    .slice(-4)
    .join(" ");
  return [`What is known of ${subject}?`, `How much do ${subject} cost?`];
}

/** Answers with the sentences that say most to the question, and with what contradicts the first of them. */
export const answerLookup: StandIn = ({ question, passages }: LookupInput) => {
  const evidence = pickEvidence(question, { passages, perSource: 2 });
  const said = evidence.map(({ quote, passage }) => ({
    quote,
    source_id: passage.source_id,
    passage,
  }));
  const [best] = said;
  if (best === undefined) return { sentences: [] };
  const against = findContradictions(said)
    .filter(({ one }) => one === best)
    .map(({ other }) => other);
  const second = against.length === 0 && said[1]?.source_id !== best.source_id ? said.slice(1, 2) : [];
  return {
    sentences: [best, ...against, ...second].slice(0, LOOKUP_SENTENCES).map(({ quote, passage }, index) => ({
      statement:
        index === 0 ? quote : `${passage.publisher}${against.length > 0 ? ", however" : ""}: ${quote}`,
      quote,
      passage_id: passage.passage_id,
    })),
  };
};
