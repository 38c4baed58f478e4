import type { StandIn } from "#shared/runtime";
import { QUESTIONS_MAX } from "../limits.ts";
import { shorten } from "../reading/sentences.ts";
import { foldText } from "../reading/words.ts";
import type { CourseInput } from "../research/answer.ts";
import { completeQuestion } from "./complete-question.ts";
import { readWish } from "./read-wish.ts";
import { splitQuestions } from "./split-questions.ts";

const WANTS_REPORT = /\b(?:report|overview|compare|comparison|in detail|summary of)\b/;

const MANY_QUESTIONS = 3;

/**
 * Decides by how much is asked for, part by part. Completes what points back to what was looked up before, and asks
 * back where that could be several things, or nothing.
 */
export const chooseCourse: StandIn = ({ question, topics }: CourseInput) => {
  const { questions, isThanks, orders } = readWish(question);
  if (questions.length === 0) {
    const reply = isThanks ? "You are welcome." : orders > 0 ? "I cannot do that." : "Noted.";
    return { course: { kind: "remark", reply: `${reply} Ask me if there is anything else to look up.` } };
  }
  const before = topics.flatMap(({ questions: looked }) => looked);
  const completed: string[] = [];
  for (const part of splitQuestions(questions)) {
    // A later part may point back to the one before it in the same message.
    const found = completeQuestion(part, completed.length > 0 ? completed : before);
    if (found === null)
      return { course: { kind: "ask_back", ask: `What do you mean by "${shorten(part, 200)}"?` } };
    completed.push(shorten(found, 600));
  }
  const isReport = (text: string): boolean => WANTS_REPORT.test(foldText(text));
  const asked = completed.filter((part) => !isReport(part));
  if (!isReport(question) && completed.length < MANY_QUESTIONS)
    return { course: { kind: "lookup", questions: completed } };
  return {
    course: {
      kind: "investigate",
      goal: shorten(questions.join(" "), 600),
      questions: (asked.length > 0 ? asked : completed).slice(0, QUESTIONS_MAX),
    },
  };
};
