import { z } from "zod";
import { contract } from "#shared/contract";
import type { ContractOutput, ContractInput } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { remark, Commission, ResearchRequest, PROMPT_TOKENS_MAX, QUESTIONS_MAX } from "../contracts.ts";
import type { Library, ResearchSetup } from "../outside/library.ts";
import { standIns } from "../recordings.ts";
import { completeAnswer, NOTHING_LOOKED_UP } from "../result.ts";
import { VERIFY_NEEDS, VerifyAnswer } from "../verify/verify-claims.ts";
import { LookupAnswer, lookUp, SOURCE_LABEL, LOOKUP_PARTS_MAX } from "./look-up.ts";
import { shorten } from "../text.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "course");

const asked = z.string().min(1).max(600);

const ResearchCourse = contract(
  "research.course@2",
  z.object({
    course: z.discriminatedUnion("kind", [
      /** Nothing is asked: thanks, a comment. */
      z.object({ kind: z.literal("remark"), reply: remark }),
      /** The meaning is unclear: it points back to several things, or to nothing that was said. */
      z.object({ kind: z.literal("ask_back"), ask: remark }),
      z.object({ kind: z.literal("lookup"), questions: z.array(asked).min(1).max(LOOKUP_PARTS_MAX) }),
      z.object({
        kind: z.literal("investigate"),
        goal: remark,
        questions: z.array(asked).min(1).max(QUESTIONS_MAX),
      }),
    ]),
  }),
  { description: "Whether a request needs nothing, a question back, a quick lookup or an investigation." },
);

type Request = ContractOutput<typeof ResearchRequest>;

/** Answers from the sources: at once where a few passages do, else by an investigation. */
export function createResearch({ library }: ResearchSetup) {
  return agent("research@1", {
    accepts: ResearchRequest,
    to: { investigation: Commission },
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
      if (reference === null) return answerMessage(ctx, library, request);
      return ctx.handoff("investigation", commissionCheck({ conversation, question, reference }), {
        handoffType: "investigation",
        expectedOutput: "a report that begins with what the sources contradict",
      });
    },
  });
}

async function answerMessage(
  ctx: Context,
  library: Library,
  { conversation, question, context }: Request,
): Promise<HandlerOutcome> {
  // Thanks and comments are left out: they are never what a message points back to.
  const topics = context
    .filter(({ topics: questions }) => questions.length > 0)
    .map(({ said, topics: questions }) => ({ said, questions }));
  const input = { question, topics };
  const { course } = await ctx.model("course", {
    instructions: INSTRUCTIONS,
    input,
    answers: ResearchCourse,
  });
  const nothing = { ...NOTHING_LOOKED_UP, answered_by: "research" } as const;
  switch (course.kind) {
    case "lookup":
      return lookUp(ctx, { library, place: conversation, questions: course.questions });
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
      return completeAnswer(ctx, {
        place: conversation,
        answer: { ...nothing, kind: "question", status: "unclear", answer: course.ask },
      });
    case "remark":
      return completeAnswer(ctx, {
        place: conversation,
        answer: { ...nothing, kind: "remark", status: "answered", answer: course.reply },
      });
  }
}

type Reference = NonNullable<Request["reference"]>;

/** Returns what to find out about a document: each claim, then the user's questions; no model leaves one out. */
export function commissionCheck({
  conversation,
  question,
  reference,
}: Pick<Request, "conversation" | "question"> & { readonly reference: Reference }): ContractInput<
  typeof Commission
> {
  const { document, analysis } = reference;
  const claims = analysis.claims.map((claim) => ({ text: shorten(claim.claim, 600), claim }));
  const others = analysis.questions.map((text) => ({ text, claim: null }));
  const all = [...claims, ...others];
  const questions = all.slice(0, QUESTIONS_MAX);
  return {
    conversation,
    goal: shorten(question, 1500),
    questions: questions.map((one, index) => ({ question_id: `q${index + 1}`, ...one })),
    reference: {
      title: document.title,
      summary: analysis.summary,
      unchecked: analysis.left_out + all.length - questions.length,
    },
  };
}
