import type { ContractOutput } from "#shared/contract";
import { readPrompt } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { checkQuotes, withCheck } from "../check-quotes.ts";
import type { ConversationPlace } from "../contract-fields.ts";
import { conversationLimitsOf } from "../setup.ts";
import type { ResearchSetup } from "../setup.ts";
import { PASSAGES_MAX } from "../limits.ts";
import type { Passage } from "../outside/library.ts";
import { completeAnswer } from "../result.ts";
import type { Answer } from "../result.ts";
import { LookupAnswer } from "./answer.ts";
import type { LookupInput } from "./answer.ts";

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "answer");

/** What searching brings in; its steps are called `search`. */
export const SOURCE_LABEL = "source";

/** Answers one question from a few passages, in place of a reply. Where nothing is found, no model is asked. */
export async function lookUp(
  ctx: Context,
  asked: { readonly setup: ResearchSetup; readonly place: ConversationPlace; readonly question: string },
): Promise<HandlerOutcome> {
  const { setup, place, question } = asked;
  const wanted = { text: question, passagesMax: PASSAGES_MAX };
  const { passages, held_back: heldBack } = await ctx.step("search", (signal) =>
    setup.library.search(wanted, signal),
  );
  const sentences = passages.length === 0 ? [] : await ask(ctx, { question, passages });
  const answer = toAnswer(sentences, passages);
  return completeAnswer(ctx, {
    place,
    limits: conversationLimitsOf(setup),
    answer: { ...answer, held_back: heldBack },
    labels: [SOURCE_LABEL],
  });
}

type Sentences = ContractOutput<typeof LookupAnswer>["sentences"];

async function ask(ctx: Context, input: LookupInput): Promise<Sentences> {
  const { passages } = input;
  const answers = withCheck(LookupAnswer, ({ sentences }) =>
    checkQuotes(sentences, (one) => findPassage(passages, one.passage_id)?.text, "/sentences"),
  );
  const { sentences } = await ctx.model("answer", { instructions: INSTRUCTIONS, input, answers });
  return sentences;
}

function findPassage(passages: readonly Passage[], passageId: string): Passage | undefined {
  return passages.find(({ passage_id: id }) => id === passageId);
}

function toAnswer(sentences: Sentences, passages: readonly Passage[]): Omit<Answer, "held_back"> {
  const base = { kind: "lookup", answered_by: "research", rounds: 0 } as const;
  if (sentences.length === 0) {
    const answer = "I have found nothing on this in the sources that I have.";
    return { ...base, status: "not_found", answer, citations: [], open: [] };
  }
  const citations = sentences.flatMap(({ quote, passage_id: id }, index) => {
    const passage = findPassage(passages, id);
    if (passage === undefined) return [];
    const { source_id, title, publisher, published } = passage;
    return [{ marker: String(index + 1), source_id, title, publisher, published, quote }];
  });
  const answer = sentences.map(({ statement }, index) => `${statement} [${index + 1}]`).join("\n");
  return { ...base, status: "answered", answer, citations, open: [] };
}
