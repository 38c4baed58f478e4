import { z } from "zod";
import { agent, readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { contract, withCheck } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { AnalysisRequest, Manuscript, criterion, quote, remark } from "../contracts.ts";
import { keepQuoted, checkNotDone, tellNotDone, notDoneList } from "../keep-quoted.ts";
import { standIns } from "../recordings.ts";

const AnalysisWish = contract(
  "fiction-editing.analysis-wish@2",
  z.object({
    /** `story`: the text is a story in prose. */
    text_is: z.enum(["story", "other", "cannot_tell"]),
    /** Work that the author asks for besides the editing, and the kind of a text that is no story. */
    not_done: notDoneList,
    criteria: z.array(criterion).min(1).max(6),
    because: remark,
  }),
  { description: "Whether a text is a story, and the criteria by which it should be analysed." },
);

export const EDIT_KINDS = [
  "repetition",
  "filter_word",
  "adverb",
  "cliche",
  "passive",
  "long_sentence",
  "weak_word",
] as const;

const EditAnswer = contract(
  "fiction-editing.edit@1",
  z.object({
    line_edits: z
      .array(
        z.object({
          kind: z.enum(EDIT_KINDS),
          quote,
          /** From 1. */
          paragraph: z.int().positive(),
          suggestion: remark,
        }),
      )
      .max(25),
    editorial_letter: z.string().min(1).max(4000).meta({ "x-surgeon-writes": true }),
  }),
  { description: "Line edits with the words they are about, and an editorial letter to the author." },
);

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
  standIns: { wish: standIns.wish, edit: standIns.edit },
  handle: async (story, ctx) => {
    return story.analysis === null ? askForAnalysis(ctx, story) : edit(ctx, story, story.analysis);
  },
});

async function askForAnalysis(
  ctx: Context<typeof to>,
  { title, text, criteria }: Story,
): Promise<HandlerOutcome> {
  const answers = withCheck(AnalysisWish, ({ not_done: other }) => checkNotDone(other, text));
  const wish = await ctx.model("wish", {
    instructions: WISH_INSTRUCTIONS,
    input: { title, text, asked_for: criteria },
    answers,
  });
  const { text_is: textIs, not_done } = wish;
  if (textIs !== "story") {
    const asked =
      textIs === "other"
        ? { status: "cannot_do", questions: [] }
        : {
            status: "needs_answers",
            questions: [{ ...ASK_FOR_STORY, question: `${ASK_FOR_STORY.question} (${wish.because})` }],
          };
    return ctx.complete({ ...asked, title, ...tellNotDone(not_done) });
  }
  return ctx.handoff(
    "story-analysis",
    {
      title,
      story_content: text,
      analysis_criteria: [...new Set(wish.criteria)],
      not_done,
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
  const { findings } = analysis;
  const { line_edits, editorial_letter } = await ctx.model("edit", {
    instructions: EDIT_INSTRUCTIONS,
    input: { title, text, findings },
    answers: EditAnswer,
  });
  const { kept, unsupported } = keepQuoted(line_edits, text);
  if (unsupported > 0)
    ctx.log.warn({ unsupported }, "edits of words that the text does not hold were left out");
  const left = unsupported + analysis.unsupported;
  return ctx.complete({
    status: "edited",
    title,
    findings,
    line_edits: kept,
    editorial_letter,
    unsupported: left,
    ...tellNotDone(not_done),
  });
}
