import { z } from "zod";
import { contract } from "#shared/contract";
import type { Issue } from "#shared/errors";
import { readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { checkCited, withCheck } from "../check-quotes.ts";
import { quote as quoteForm, reading } from "../contract-fields.ts";
import type { ConversationPlace } from "../contract-fields.ts";
import { LOOKUP_PARTS_MAX, PASSAGES_MAX } from "../limits.ts";
import type { Library, Passage } from "../outside/library.ts";
import { holdsWords } from "../reading/quote.ts";
import { completeAnswer } from "../result.ts";
import { verifyClaims } from "../verify/verify-claims.ts";
import { toAnswer } from "./to-answer.ts";
import type { Settled } from "./to-answer.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "answer");

/** What searching brings in; its steps are called `search`. */
export const SOURCE_LABEL = "source";

const lookedUp = z.object({
  question_id: z.string().max(8),
  /** Empty: the passages hold no answer. */
  sentences: z.array(reading).max(5),
  /** What of the question the passages do not answer; empty: they answer all of it. */
  missing: z.string().max(600),
  /** What the question takes for granted, in its words, and a passage denies. */
  denied: z
    .object({ assumed: z.string().min(1).max(300), quote: quoteForm, passage_id: z.string().max(200) })
    .nullable(),
  /** Whether the passages that are cited say different things. */
  disagree: z.boolean(),
});

type LookedUp = z.output<typeof lookedUp>;

/** Quick answers, one for each question: sentences, each with a quote, and what stays open. */
export const LookupAnswer = contract(
  "research.lookup@3",
  z.object({ parts: z.array(lookedUp).min(1).max(LOOKUP_PARTS_MAX) }),
  {
    description:
      "For each question sentences that answer it, each with the exact words of the passage it rests on, and what stays open.",
  },
);

interface LookupInput {
  readonly parts: readonly {
    readonly question_id: string;
    readonly question: string;
    readonly passages: readonly Passage[];
  }[];
}

/**
 * Answers up to three questions, each from passages of its own, in place of a reply. Where nothing is found, no model
 * is asked.
 */
export async function lookUp(
  ctx: Context,
  asked: {
    readonly library: Library;
    readonly place: ConversationPlace;
    readonly questions: readonly string[];
  },
): Promise<HandlerOutcome> {
  const { library, place, questions } = asked;
  const searched = await ctx.step("search", (signal) =>
    Promise.all(questions.map((text) => library.search({ text, passagesMax: PASSAGES_MAX }, signal))),
  );
  const parts = questions.map((question, index) => ({
    question_id: `q${index + 1}`,
    question,
    passages: searched[index]?.passages ?? [],
  }));
  const isFound = parts.some(({ passages }) => passages.length > 0);
  const answers = isFound ? await ask(ctx, { parts }) : [];
  const heldBack = new Map(
    searched.flatMap(({ held_back: held }) => held).map((one) => [one.source_id, one]),
  );
  return completeAnswer(ctx, {
    place,
    answer: { ...toAnswer(await settle(ctx, { parts }, answers)), held_back: [...heldBack.values()] },
    topics: questions,
    labels: [SOURCE_LABEL],
  });
}

async function ask(ctx: Context, input: LookupInput): Promise<readonly LookedUp[]> {
  const answers = withCheck(LookupAnswer, ({ parts }) => [
    // One answer for each question, so that none is passed over.
    ...input.parts
      .filter(({ question_id: id }) => parts.filter((part) => part.question_id === id).length !== 1)
      .map(({ question_id: id }) => ({
        path: "/parts",
        code: "missing_question",
        message: `there has to be one answer to ${id}`,
      })),
    ...parts.flatMap((part, index) => checkPart(part, input, `/parts/${index}`)),
  ]);
  return (await ctx.model("answer", { instructions: INSTRUCTIONS, input, answers })).parts;
}

function checkPart(
  { question_id: id, sentences, denied }: LookedUp,
  input: LookupInput,
  at: string,
): Issue[] {
  const asked = input.parts.find((part) => part.question_id === id);
  if (asked === undefined)
    return [{ path: `${at}/question_id`, code: "unknown_question", message: "was not asked" }];
  const issues = checkCited(sentences, asked.passages, `${at}/sentences`);
  if (denied === null) return issues;
  issues.push(...checkCited([denied], asked.passages, `${at}/denied`));
  if (!holdsWords(asked.question, denied.assumed))
    issues.push({
      path: `${at}/denied/assumed`,
      code: "invented_words",
      message: "does not stand in the question",
    });
  return issues;
}

/** Keeps of each answer what a second reading of the single passages says too. */
async function settle(
  ctx: Context,
  { parts }: LookupInput,
  answers: readonly LookedUp[],
): Promise<Settled[]> {
  const settled = parts.map(({ question_id: id, question, passages }) => {
    const part = answers.find((one) => one.question_id === id);
    const cite = <Citing extends { readonly passage_id: string }>(citing: Citing) => {
      const passage = passages.find((one) => one.passage_id === citing.passage_id);
      return passage === undefined ? [] : [{ ...citing, passage }];
    };
    const said = (part?.sentences ?? []).flatMap(cite);
    const denied = [part?.denied ?? []].flat().flatMap(cite);
    return { question, said, denied, missing: part?.missing ?? "", disagree: part?.disagree === true };
  });
  const pairs = settled.flatMap(({ question, said, denied }) => [
    ...said.map(({ statement, passage }) => ({ claim: statement, passage })),
    ...denied.map(({ passage }) => ({ claim: question, passage })),
  ]);
  const verdicts = (await verifyClaims(ctx, pairs)).values();
  return settled.map(({ said, denied, ...rest }) => {
    const kept = said.filter(() => verdicts.next().value === "supports");
    const [denial = null] = denied
      .filter(() => verdicts.next().value === "contradicts")
      .map(({ assumed, quote, passage }) => ({
        statement: `You write "${assumed}"; ${passage.publisher} writes "${quote}"`,
        quote,
        passage,
      }));
    return { ...rest, said: kept, denial, unconfirmed: said.length - kept.length };
  });
}
