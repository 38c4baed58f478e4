import type { ContractOutput } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import { Commission, ResearchRequest } from "../contracts.ts";
import { conversationLimitsOf } from "../setup.ts";
import type { ResearchSetup } from "../setup.ts";
import { PROMPT_TOKENS_MAX } from "../limits.ts";
import { completeAnswer } from "../result.ts";
import { LookupAnswer, ResearchCourse } from "./answer.ts";
import type { CourseInput } from "./answer.ts";
import { lookUp, SOURCE_LABEL } from "./look-up.ts";
import { answerLookup, chooseCourse } from "../rehearsal/research.ts";

const to = { investigation: Commission };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "course");

/** Answers from the sources: at once where a few passages do, by an investigation where more is asked. */
export function createResearch(setup: ResearchSetup) {
  const limits = conversationLimitsOf(setup);
  return agent("research@1", {
    accepts: ResearchRequest,
    to,
    description: "Looks questions up in the sources, or has them investigated.",
    capabilities: ["research"],
    answers: [ResearchCourse, LookupAnswer],
    standIns: { course: chooseCourse, answer: answerLookup },
    needs: {
      course: { fields: ["/question", "/context", "/analysis"] },
      answer: { fields: ["/question", "/passages"] },
    },
    contextTokensMax: PROMPT_TOKENS_MAX,
    guard: { mayCause: [], untrusted: { steps: { search: SOURCE_LABEL } } },
    handle: async ({ conversation, question, context, reference }, ctx) => {
      const input: CourseInput = { question, context, analysis: summaryOf(reference) };
      const { course } = await ctx.model("course", {
        instructions: INSTRUCTIONS,
        input,
        answers: ResearchCourse,
      });
      switch (course.kind) {
        case "lookup":
          return lookUp(ctx, { setup, place: conversation, question: course.question });
        case "investigate":
          return ctx.handoff(
            "investigation",
            {
              conversation,
              goal: course.goal,
              questions: course.questions.map((text, index) => ({ question_id: `q${index + 1}`, text })),
              reference:
                reference === null
                  ? null
                  : { title: reference.document.title, summary: reference.analysis.summary },
            },
            { handoffType: "investigation", expectedOutput: "a report with citations" },
          );
        case "remark":
          return completeAnswer(ctx, {
            place: conversation,
            limits,
            answer: {
              kind: "remark",
              status: "answered",
              answered_by: "research",
              answer: course.reply,
              citations: [],
              open: [],
              held_back: [],
              rounds: 0,
            },
          });
      }
    },
  });
}

/** Of a document what decides the course: the claims and the text itself stay out of the prompt. */
function summaryOf(reference: ContractOutput<typeof ResearchRequest>["reference"]): CourseInput["analysis"] {
  if (reference === null) return null;
  const { summary, questions } = reference.analysis;
  return { summary, questions };
}
