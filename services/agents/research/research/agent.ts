import type { ContractOutput } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { Commission, ResearchRequest } from "../contracts.ts";
import { conversationLimitsOf } from "../setup.ts";
import type { ResearchSetup } from "../setup.ts";
import { PROMPT_TOKENS_MAX } from "../limits.ts";
import { completeAnswer, NOTHING_LOOKED_UP } from "../result.ts";
import { LookupAnswer, ResearchCourse } from "./answer.ts";
import type { CourseInput } from "./answer.ts";
import { commissionCheck } from "./commission-check.ts";
import { lookUp, SOURCE_LABEL } from "./look-up.ts";
import { standIns } from "../recordings.ts";
import { VERIFY_NEEDS, VerifyAnswer } from "../verify/verify-claims.ts";

const to = { investigation: Commission };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "course");

type Request = ContractOutput<typeof ResearchRequest>;

/**
 * Answers from the sources: at once where a few passages do, by an investigation where more is asked or a document is
 * to be held against them.
 */
export function createResearch(setup: ResearchSetup) {
  return agent("research@1", {
    accepts: ResearchRequest,
    to,
    description: "Looks questions up in the sources, or has them investigated.",
    capabilities: ["research"],
    answers: [ResearchCourse, LookupAnswer, VerifyAnswer],
    standIns: { course: standIns.course, answer: standIns.answer, verify: standIns.verify },
    needs: {
      course: { fields: ["/question", "/topics"] },
      answer: { fields: ["/parts"] },
      ...VERIFY_NEEDS,
    },
    contextTokensMax: PROMPT_TOKENS_MAX,
    guard: { mayCause: [], untrusted: { steps: { search: SOURCE_LABEL } } },
    handle: async (request, ctx) => {
      const { conversation, question, reference } = request;
      if (reference !== null)
        return ctx.handoff("investigation", commissionCheck({ conversation, question, reference }), {
          handoffType: "investigation",
          expectedOutput: "a report that begins with what the sources contradict",
        });
      return answerMessage(ctx, { setup, request });
    },
  });
}

async function answerMessage(
  ctx: Context,
  { setup, request }: { readonly setup: ResearchSetup; readonly request: Request },
): Promise<HandlerOutcome> {
  const { conversation, question, context } = request;
  const topics = context
    .filter(({ topics: questions }) => questions.length > 0)
    .map(({ said, topics: questions }) => ({ said, questions }));
  const input: CourseInput = { question, topics };
  const asked = { instructions: INSTRUCTIONS, input, answers: ResearchCourse };
  const { course } = await ctx.model("course", asked);
  switch (course.kind) {
    case "lookup":
      return lookUp(ctx, { setup, place: conversation, questions: course.questions });
    case "investigate":
      return ctx.handoff(
        "investigation",
        {
          conversation,
          goal: course.goal,
          questions: course.questions.map((text, index) => ({ question_id: `q${index + 1}`, text })),
          reference: null,
        },
        { handoffType: "investigation", expectedOutput: "a report with citations" },
      );
    case "ask_back":
    case "remark":
      return completeAnswer(ctx, {
        place: conversation,
        limits: conversationLimitsOf(setup),
        answer:
          course.kind === "remark"
            ? {
                ...NOTHING_LOOKED_UP,
                ...BY_RESEARCH,
                kind: "remark",
                status: "answered",
                answer: course.reply,
              }
            : {
                ...NOTHING_LOOKED_UP,
                ...BY_RESEARCH,
                kind: "question",
                status: "unclear",
                answer: course.ask,
              },
      });
  }
}

const BY_RESEARCH = { answered_by: "research" } as const;
