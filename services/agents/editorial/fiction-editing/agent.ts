import { agent, readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import type { ContractOutput } from "#shared/contract";
import { AnalysisRequest, Manuscript } from "../contracts.ts";
import { tellNotDone } from "../other-work.ts";
import { mergeNotDone } from "../reading/find-other-work.ts";
import { keepQuoted } from "../reading/keep-quoted.ts";
import { AnalysisWish, EditAnswer } from "./answer.ts";
import type { EditInput, WishInput } from "./answer.ts";
import { placeText } from "./place-text.ts";
import { chooseCriteria, editStory } from "../rehearsal/fiction-editing.ts";

const to = { "story-analysis": AnalysisRequest };

const PROMPT = new URL("prompt.md", import.meta.url);
const WISH_INSTRUCTIONS = readPrompt(PROMPT, "wish");
const EDIT_INSTRUCTIONS = readPrompt(PROMPT, "edit");

const ASK_FOR_STORY = {
  about: "the text",
  question: "Is this the whole of a story in prose that is to be edited, or what is to be done with it?",
};

type Story = ContractOutput<typeof Manuscript>;

/** Has a story analysed first, then edits it with what the analysis found. */
export const fictionEditing = agent("fiction-editing@1", {
  accepts: Manuscript,
  guard: { mayCause: [] },
  to,
  description: "Edits stories, with an analysis by the story analyst.",
  capabilities: ["fiction-editing"],
  answers: [AnalysisWish, EditAnswer],
  standIns: { wish: chooseCriteria, edit: editStory },
  handle: async (story, ctx) => {
    return story.analysis === null ? askForAnalysis(ctx, story) : edit(ctx, story, story.analysis);
  },
});

async function askForAnalysis(
  ctx: Context<typeof to>,
  { title, text, criteria, not_done: before }: Story,
): Promise<HandlerOutcome> {
  const input: WishInput = { title, text, asked_for: criteria };
  const wish = await ctx.model("wish", { instructions: WISH_INSTRUCTIONS, input, answers: AnalysisWish });
  const { status, not_done } = placeText(wish, text);
  if (status !== "story") {
    const questions = status === "cannot_do" ? [] : [ASK_FOR_STORY];
    return ctx.complete({ status, title, questions, ...tellNotDone(not_done) });
  }
  return ctx.handoff(
    "story-analysis",
    {
      title,
      story_content: text,
      analysis_criteria: [...new Set(wish.criteria)],
      not_done: mergeNotDone(before, not_done, text),
    },
    {
      handoffType: "analysis_request",
      reason: wish.because,
      expectedOutput: "findings with the words they rest on",
    },
  );
}

async function edit(
  ctx: Context<typeof to>,
  { title, text, not_done }: Story,
  analysis: NonNullable<Story["analysis"]>,
): Promise<HandlerOutcome> {
  const { measures, findings } = analysis;
  const input: EditInput = { title, text, measures, findings };
  const { line_edits, editorial_letter } = await ctx.model("edit", {
    instructions: EDIT_INSTRUCTIONS,
    input,
    answers: EditAnswer,
  });
  const { kept, unsupported } = keepQuoted(line_edits, text);
  if (unsupported > 0)
    ctx.log.warn({ unsupported }, "edits of words that the text does not hold were left out");
  const left = unsupported + analysis.unsupported;
  return ctx.complete({
    status: "edited",
    title,
    measures,
    findings,
    line_edits: kept,
    editorial_letter,
    unsupported: left,
    ...tellNotDone(not_done),
  });
}
