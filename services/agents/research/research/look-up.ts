import type { Issue } from "#shared/errors";
import { readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { checkCited, withCheck } from "../check-quotes.ts";
import type { ConversationPlace } from "../contract-fields.ts";
import { conversationLimitsOf } from "../setup.ts";
import type { ResearchSetup } from "../setup.ts";
import { PASSAGES_MAX } from "../limits.ts";
import type { HeldBack } from "../outside/library.ts";
import { holdsWords } from "../reading/quote.ts";
import { completeAnswer } from "../result.ts";
import { LookupAnswer } from "./answer.ts";
import type { LookedUp, LookupInput } from "./answer.ts";
import { verifyClaims } from "../verify/verify-claims.ts";
import { toAnswer } from "./to-answer.ts";
import type { Settled } from "./to-answer.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "answer");

/** What searching brings in; its steps are called `search`. */
export const SOURCE_LABEL = "source";

/**
 * Answers up to three questions, each from passages of its own, in place of a reply. Where nothing is found, no model
 * is asked.
 */
export async function lookUp(
  ctx: Context,
  asked: {
    readonly setup: ResearchSetup;
    readonly place: ConversationPlace;
    readonly questions: readonly string[];
  },
): Promise<HandlerOutcome> {
  const { setup, place, questions } = asked;
  const searched = await ctx.step("search", (signal) =>
    Promise.all(questions.map((text) => setup.library.search({ text, passagesMax: PASSAGES_MAX }, signal))),
  );
  const parts = questions.map((question, index) => ({
    question_id: `q${index + 1}`,
    question,
    passages: searched[index]?.passages ?? [],
  }));
  const isFound = parts.some(({ passages }) => passages.length > 0);
  const lookedUp = isFound ? await ask(ctx, { parts }) : [];
  const heldBack = new Map<string, HeldBack>();
  for (const one of searched.flatMap(({ held_back: held }) => held)) heldBack.set(one.source_id, one);
  return completeAnswer(ctx, {
    place,
    limits: conversationLimitsOf(setup),
    answer: { ...toAnswer(await settle(ctx, { parts }, lookedUp)), held_back: [...heldBack.values()] },
    topics: questions,
    labels: [SOURCE_LABEL],
  });
}

async function ask(ctx: Context, input: LookupInput): Promise<readonly LookedUp[]> {
  const answers = withCheck(LookupAnswer, ({ parts }) => [
    ...checkIds(parts, input),
    ...parts.flatMap((part, index) => checkPart(part, input, `/parts/${index}`)),
  ]);
  const { parts } = await ctx.model("answer", { instructions: INSTRUCTIONS, input, answers });
  return parts;
}

/** One answer for each question, so that none is passed over. */
function checkIds(parts: readonly LookedUp[], input: LookupInput): Issue[] {
  return input.parts.flatMap(({ question_id: id }) =>
    parts.filter((part) => part.question_id === id).length === 1
      ? []
      : [{ path: "/parts", code: "missing_question", message: `there has to be one answer to ${id}` }],
  );
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
  return [
    ...issues,
    ...checkCited([denied], asked.passages, `${at}/denied`),
    ...(holdsWords(asked.question, denied.assumed)
      ? []
      : [
          { path: `${at}/denied/assumed`, code: "invented_words", message: "does not stand in the question" },
        ]),
  ];
}

/** Keeps of each answer what a second reading of the single passages says too. */
async function settle(
  ctx: Context,
  { parts }: LookupInput,
  lookedUp: readonly LookedUp[],
): Promise<Settled[]> {
  const settled = parts.map(({ question_id: id, question, passages }) => {
    const part = lookedUp.find((one) => one.question_id === id);
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
